/**
 * The part of annex A of docs/protocol.md about a vault: a capsule, its envelope, the event of it, the status of the
 * vault's key, and an IVC epoch. As in annex.ts, core's values are beside their inputs, which must give them.
 */
import { type HashHex, ivcEpochHash, type PublicKeyHex, referenceKernel, verify } from "@svc/core";
import { bytes, canonical, canonicalText, given, hashed, hashOf, hex, merkle, plain, sealed } from "./blocks.ts";
import { CAPSULE, ENVELOPE, EPOCH, OPENED, PLACE, STATUS, type VaultExample } from "./issue-vault.ts";

const kernel = referenceKernel;
const PROVENANCE = "SVC-PROVENANCE-001";
const IVC_RECOMPUTE = "SVC-IVC-RECOMPUTE-001";

/** Returns the sections about the vault. `publicKeyHex`: of the vault. */
export function vaultText(example: VaultExample, publicKeyHex: PublicKeyHex): string {
  for (const object of [example.envelope, example.status, example.epoch]) expectWhole(object);
  return [capsule(example), envelope(example, publicKeyHex), event(example), status(example), epoch(example)].join(
    "\n\n",
  );
}

function capsule({ capsule: { leaves, fields, capsuleRoot, capsulePath, ...owned }, opened }: VaultExample): string {
  const { installationId, sourceRef, slotSalt } = owned;
  const commitments = fields.map(({ name, index, value, blind }) => {
    const body = { installationId, sourceRef, index, name, value, blind };
    return hashed(`capsule.${name}`, "commitment", "commitment", body, leaves[index] ?? "", PROVENANCE);
  });
  const hashes = leaves.map((leaf) => hashOf(`00${leaf}`));
  const pairs = [0, 2, 4, 6].map((at) => hashOf(`01${hashes[at]}${hashes[at + 1]}`));
  const [left, right] = [`01${pairs[0]}${pairs[1]}`, `01${pairs[2]}${pairs[3]}`];
  return `### A.11 A capsule

What a vault commits to about one file ([section 19](#19-capsule)). \`decoys\` are the random leaves; \`output\` is one of them, since this
file has none.

${given("capsule", CAPSULE)}

The place of \`${OPENED}\`: the word and tag, a newline, the raw salt and the name; of the hash the first 8 bytes as a number, modulo 4, and 4
more.

${merkle(`capsule.${OPENED}.slot`, hex(bytes(`${PROVENANCE}/slot\n`)) + slotSalt + hex(bytes(OPENED)))}

${plain(`capsule.${OPENED}.index`, String(opened.index))}

The commitments, each over its place, name, value and blind:

${commitments.join("\n\n")}

The data of the eight leaves, and the upper nodes of the tree over them. The second of these nodes is the whole \`capsulePath\`.

${canonical("capsule.leaves", leaves)}

${merkle("capsule.node-0", left)}

${merkle("capsule.node-1", right, capsulePath[0])}

${merkle("capsule.capsuleRoot", `01${hashOf(left)}${hashOf(right)}`, capsuleRoot)}

Opened for a reader ([section 28](#28-disclosure)), the field comes with the way from its leaf to the root:

${canonical(`capsule.${OPENED}.opened`, opened)}`;
}

function envelope({ envelope: whole }: VaultExample, publicKeyHex: PublicKeyHex): string {
  const { content, seal, contentHash, ...rest } = whole;
  if (content === undefined) throw new Error("the example's envelope has no content");
  const body = { ...rest, contentHash };
  return `### A.12 The envelope over it

Beside the capsule's commitments a vault states when, and of what kind ([section 20](#20-envelope)). Its key signs; the hash that the content
is bound by is in what it signs.

${given("envelope", ENVELOPE)}

${plain("vault.public_key", publicKeyHex)}

${hashed("envelope", "contentHash", "content", content, contentHash, PROVENANCE)}

${sealed("envelope", "envelope", body, seal)}

The hash that the vault's next envelope would name:

${hashed("envelope", "envelopeHash", "envelope", body, hashOf(preimageHex("envelope", body)), PROVENANCE)}`;
}

function event({ payload, record, leaf }: VaultExample): string {
  const { stream_id, stream_event_id, seq_no, event_hash, previous_event_hash, receipt } = record;
  const { source_ref, event_type, occurred_at, received_at, payload_hash } = record;
  const described = { source_ref, event_type, occurred_at, received_at, payload_hash };
  const hashedEvent = { stream_id, stream_event_id, seq_no, previous_event_hash, ...described };
  const salted = { payload, salt: PLACE.payload_salt };
  return `### A.13 Its event

The envelope without its content is the payload of an event in its own stream; the service sees no more than that.

${given("vault-event", PLACE)}

${hashed("vault-event", "payload_hash", "payload", salted, payload_hash)}

${hashed("vault-event", "event_hash", "event", hashedEvent, event_hash)}

The receipt ([section 7](#7-event-and-receipt)) is made as above; its signature:

${plain("vault-event.signature", receipt.signature)}

The leaf that a bundle over this event has, and its provenance root, which over a single event is the hash of the leaf
([section 27](#27-bundles-of-envelopes)).

${hashed("vault-event", "leaf", "leaf", leaf, hashOf(preimageHex("leaf", leaf)), PROVENANCE)}

${merkle("vault-event.provenance_root", `00${hashOf(preimageHex("leaf", leaf))}`)}`;
}

function status({ status: { seal, ...body } }: VaultExample): string {
  return `### A.14 The status of the vault's key

A week later the vault was taken out of service ([section 26](#26-key-status-and-handovers)). The event above, received before that, stays
what it is.

${given("key_status", STATUS)}

${sealed("key_status", "key-status", body, seal)}`;
}

function epoch({ epoch: { seal, checkpoints = [], proof: _proof, ...body } }: VaultExample): string {
  const [checkpoint] = checkpoints;
  if (checkpoint === undefined) throw new Error("the example's epoch has no checkpoint");
  const { seal: _seal, note: _note, ...hashedBody } = checkpoint;
  const { checkpoint_no, window_count, to_seq_no } = checkpoint;
  const { checkpoint_root, stream_head_hash, policy_digest, witness_policy_digest } = checkpoint;
  const checkpoint_hash = hashOf(hex(bytes(`SVC-PROOFSTREAM-001/checkpoint\n${canonicalText(hashedBody)}`)));
  const numbers = [checkpoint_no, window_count, to_seq_no].map((one) => one.toString(16).padStart(16, "0"));
  const hashes = [checkpoint_root, stream_head_hash, checkpoint_hash, policy_digest, witness_policy_digest];
  const step = `02${body.initial_state}${numbers.join("")}${hashes.join("")}`;
  const { stream_id, origin, initial_state, final_state } = body;
  const { program, construction, review } = body;
  return `### A.15 An epoch

One step over the checkpoint of [A.7](#a7-the-checkpoint-its-seal-and-its-note) ([section 32](#32-ivc-epochs)).

${given("epoch", { ...EPOCH, program, construction, review })}

${hashed("epoch", "initial_state", "genesis", { stream_id, origin }, initial_state, IVC_RECOMPUTE)}

The step: the byte 02, the state before, three numbers and five hashes of the checkpoint.

${merkle("epoch.final_state", step, final_state)}

${hashed("epoch", "ivc_epoch_hash", "ivc-epoch", body, epochHash(body, seal), IVC_RECOMPUTE)}

${sealed("epoch", "ivc-epoch", body, seal)}`;
}

function epochHash(body: object, seal: object): HashHex {
  return ivcEpochHash(kernel, { ...body, seal, proof: null } as VaultExample["epoch"]);
}

function preimageHex(tag: string, body: object): string {
  return hex(bytes(`${PROVENANCE}/${tag}\n${canonicalText(body)}`));
}

/** Fails unless core finds nothing broken in an object. */
function expectWhole(object: object): void {
  const { kind, verdict, problems } = verify(bytes(canonicalText(object)), { trust: NOBODY, kernel });
  if (verdict !== "untrusted") throw new Error(`the example's ${kind} is ${verdict}: ${JSON.stringify(problems)}`);
}

const NOBODY = { signers: [], witnesses: [], quorum: 1, require: [], expect: {} };
