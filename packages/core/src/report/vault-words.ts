/** The sentences about what vaults state, and the next steps for their codes (protocol sections 16 and 33). */
import type { Kind } from "./checks.ts";
import { anchoredIn, seenBy, type VaultWords } from "./meaning.ts";
import type { Assurance, Subject } from "./report.ts";
import { VAULT_CODES } from "./vault-codes.ts";

/** It holds for a mark in any content. */
const NO_AUTHORSHIP =
  "authorship, origin, ownership or truth of any content: a detected mark identifies a registration, and nothing more";

export const vaultWords: VaultWords = {
  codes: Object.keys(VAULT_CODES),
  action: (code) => (VAULT_CODES as Readonly<Record<string, { readonly action: string }>>)[code]?.action,
  shows,
  capsules,
  limits,
};

function shows(kind: Kind, { id, to_seq_no: to }: Subject, assurance: Assurance): string[] {
  switch (kind) {
    case "key-status":
      return ["the service states which key this vault has, since when, and whether and when that key has ended"];
    case "provider-result":
      return ["what it says of a mark does not contradict itself"];
    case "ivc-epoch":
      return [
        to === undefined
          ? "the service sealed an epoch whose checkpoints are not here"
          : "the checkpoints listed here lead from the first state of the epoch to the last",
      ];
    case "envelope":
      return ["a vault sealed this envelope over a capsule, whose fields stay closed"];
    case "vault-attestation":
      // A record that no service has answered has no id.
      return [
        `a vault attested its key${id === null ? "" : ", and the service says what it found"}`,
        ...levelsShown(assurance),
      ];
    case "provenance-inclusion":
      return [`the capsule of event ${to} is under this provenance root`];
    case "disclosure": {
      const when = to === undefined ? "" : `, which the service recorded as event ${to}`;
      return [
        `a vault sealed this envelope${when}, and committed in it to what is opened here`,
        ...levelsShown(assurance),
        ...seenBy(assurance.witnessed),
        ...anchoredIn(assurance),
      ];
    }
    default:
      return [];
  }
}

/** Says what the envelopes of a range show. */
function capsules(assurance: Assurance): string[] {
  const { provenance } = assurance;
  if (provenance === undefined) return [];
  const { installations, vault_chain } = provenance;
  const vaults = installations === 1 ? "one vault" : `${installations} vaults`;
  const chain = vault_chain === "complete" ? "from its first one on" : "from some number on";
  return [
    `${vaults} sealed an envelope for each event, and the envelopes of each vault follow one another ${chain}`,
    ...levelsShown(assurance),
  ];
}

/** Says which levels count, and on whose word. */
function levelsShown({ provenance }: Assurance): string[] {
  if (provenance === undefined) return [];
  const { effective, substantiated_by, software_root } = provenance;
  const levels = Object.entries(effective).filter(([, count]) => count > 0);
  const counted = levels.map(([level, count]) => `${count} at ${level}`).join(", ");
  const words = {
    none: "which nobody had to substantiate",
    service: "on the service's word",
    verifier: "by your own check",
  };
  return [
    `levels of assurance that count for you: ${counted}, ${words[substantiated_by]}`,
    ...(software_root ? ["an attestation rests on a root of software"] : []),
  ];
}

function limits(kind: Kind, { id, to_seq_no: to }: Subject, assurance: Assurance): string[] {
  const sentences = limitsOfCapsules(assurance);
  if (kind === "envelope" || (kind === "disclosure" && to === undefined))
    sentences.push("that any service recorded it, or when it was made");
  if (kind === "vault-attestation")
    sentences.push(
      "that a certificate here was not taken back: no lists of those are read",
      ...(id === null ? ["when it was made: no service says that its nonce was fresh"] : []),
    );
  if (kind === "provenance-inclusion")
    sentences.push(
      "what the capsule holds",
      "that a vault sealed its envelope: only the bundle shows that",
      ...(assurance.signed ? [] : ["that anybody signed that root"]),
    );
  if (kind === "key-status")
    sentences.push("that nobody else has that key", "what the service says of it later, or has said elsewhere");
  if (kind === "provider-result") sentences.push("that any provider said it: nobody signed it", NO_AUTHORSHIP);
  if (kind === "ivc-epoch")
    sentences.push(
      "more than its checkpoints prove: it is recomputed, so it is not succinct and hides nothing",
      "that the construction is sound: nobody this verifier trusts has reviewed it",
      "when it was made: all times are the signer's word",
    );
  return sentences;
}

/** Says what envelopes and capsules do not show. */
function limitsOfCapsules({ provenance }: Assurance): string[] {
  if (provenance === undefined) return [];
  const { claimed, vault_chain, vault_keys, key_custody } = provenance;
  return [
    "what closed fields hold, nor how many of them hold anything",
    "that what a vault committed to is true or complete",
    NO_AUTHORSHIP,
    ...(vault_keys === "service-vouched"
      ? ["that these are the vaults' own keys: the service alone vouches for them"]
      : []),
    ...(vault_chain === "partial" ? ["that a vault made no envelope before the first one here"] : []),
    ...(claimed.unknown > 0 ? [`the level of ${claimed.unknown} whose content is withheld: each counts as L0`] : []),
    ...(key_custody === "none" ? ["that a vault's key cannot leave its token: no attestation here says so"] : []),
  ];
}
