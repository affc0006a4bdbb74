/** Why an epoch is not anchored, or not yet, as proof-state, metrics and doctor name it. */

/** The causes. */
export const ANCHOR_FAULTS = {
  unreachable: "no connection to the node came about",
  timed_out: "the node did not answer in time",
  redirected: "the node answered with a redirect",
  answer_too_large: "the node's answer is larger than any that was asked for",
  answer_malformed: "the node's answer is not what JSON-RPC says",
  node_refused: "the node refused a call",
  wrong_network: "the node is of another chain than the configured one",
  network_changed: "the epoch was sent to a chain that is not configured any more",
  node_contradicted: "the node's answers contradict each other",
  node_behind: "the node does not have what an earlier answer said",
  key_unusable: "the file of the anchoring key cannot be used",
  contract_missing: "there is no contract at the configured address",
  contract_replaced: "the contract at the configured address is not EvidenceAnchor",
  contract_refused: "the contract refuses the epoch",
  not_anchorer: "the contract lets another address write than that of the key",
  epoch_taken: "the contract holds another hash for this epoch",
  balance_too_low: "the key's balance does not pay for the transaction",
  budget_used_up: "the budget of the day is used up",
  nonce_taken: "a transaction that is not of this service has used the key's number",
  transaction_refused: "the node does not take the transaction",
  transaction_reverted: "the transaction was mined, and did nothing",
  chain_stalled: "the chain makes no blocks",
  evidence_invalid: "the evidence from the node does not hold",
} as const;
export type AnchorFaultCode = keyof typeof ANCHOR_FAULTS;

/** A step that did not come about. The message begins with the code, as it is kept in the database. */
export class AnchorFault extends Error {
  readonly code: AnchorFaultCode;

  constructor(code: AnchorFaultCode, message: string, options?: ErrorOptions) {
    super(`${code}: ${message}`, options);
    this.name = "AnchorFault";
    this.code = code;
  }
}

/** Returns the code and the words of a fault as the database keeps it; the code is null for a fault on this side. */
export function anchorFaultIn(text: string): { readonly code: AnchorFaultCode | null; readonly message: string } {
  const [, code = "", message = ""] = /^([a-z_]+): (.*)$/s.exec(text) ?? [];
  return code in ANCHOR_FAULTS ? { code: code as AnchorFaultCode, message } : { code: null, message: text };
}
