/**
 * Says whether bytes that could not be read as evidence bear its marks: member names that only our kinds have, the type
 * that a seal or a manifest names, an entry of a package. Core rejects everything that bears them, however broken it
 * is: nobody can turn a bad verdict into "no evidence" without removing everything by which a reader would recognize
 * the file as evidence.
 */
import { ARTIFACT_PATHS, type Json, MANIFEST_PATH } from "@svc/core";

/** Members that files of other programs do not have. Each kind requires at least one of them. */
export const NAMES: readonly string[] = [
  "stream_event_id",
  "stream_head_hash",
  "event_hash",
  "previous_event_hash",
  "payload_salt",
  "window_root",
  "window_roots",
  "checkpoint_root",
  "checkpoint_hash",
  "checkpoint_inclusion",
  "inclusion_path",
  "consistency_path",
  "from_checkpoint",
  "to_checkpoint",
  "from_anchor",
  "to_anchor",
  "witness_policy_digest",
  "anchor_epoch_id",
  "epoch_root",
  "endorsed_kid",
  "key_endorsements",
  "key_hints",
  "fork_id",
  "bundle_id",
  "receipts.json",
  "windows.json",
  "checkpoints.json",
  "capsuleRoot",
  "contentHash",
  "previousEnvelopeHash",
  "envelopeHash",
  "disclosureId",
  "attestationKind",
  "attestationHash",
  "revocationInstantReconstructed",
  "provenance_root",
  "record_marked_asset_sha256",
  "presented_sha256",
  "ivc_epoch_id",
  "previous_ivc_epoch_hash",
];
const IS_NAME = new Set(NAMES);
const PROTOCOL = "SVC-(?:PROOFSTREAM|TRUTH-PACKAGE|PROVENANCE|PROVIDER-RESULT|VAULT-ATTESTATION|IVC-RECOMPUTE)-\\d";
const IS_PROTOCOL = new RegExp(`^${PROTOCOL}`);
const escaped = (name: string) => name.replaceAll(".", "\\.");
/** Matches a name before its colon in text that is no JSON, with quotes or without. */
const IN_TEXT = new RegExp(
  `(?:${NAMES.map(escaped).join("|")})[^\\w:;,{}[\\]]*:|${PROTOCOL}|${escaped(MANIFEST_PATH)}`,
  "i",
);
/**
 * A package is recognized by these entries, in any folder of the archive. Archives of others contain `manifest.json`
 * and `events.csv` too.
 */
const ENTRIES = [MANIFEST_PATH, ...ARTIFACT_PATHS.filter((path) => path === "proofs.json")];

/** The number of bytes searched at once, and the number searched again with the next piece. */
const PIECE_BYTES = 2 ** 20;
const OVERLAP_BYTES = 2 ** 12;

/** Says whether a JSON value bears the marks, at any depth. */
export function valueBearsMarks(value: Json): boolean {
  // A list in place of recursion: the value may be deep.
  const left: Json[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next === "string" && IS_PROTOCOL.test(next)) return true;
    if (typeof next !== "object" || next === null) continue;
    for (const [name, member] of Object.entries(next)) {
      if (IS_NAME.has(name)) return true;
      left.push(member);
    }
  }
  return false;
}

/**
 * Says whether bytes that are no JSON bear the marks, anywhere in them. Neither white space nor JSON's escapes hide a
 * mark.
 */
export function textBearsMarks(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder("latin1");
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const text = decoder.decode(bytes.slice(at, at + PIECE_BYTES + OVERLAP_BYTES));
    const plain = text
      .replace(/\\u00([0-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/\s+/g, "");
    if (IN_TEXT.test(plain)) return true;
  }
  return false;
}

/** Says whether an archive has an entry with the name of a package's entry; only the last part of the path counts. */
export function entriesBearMarks(paths: readonly string[]): boolean {
  return paths.some((path) => ENTRIES.includes(path.toLowerCase().replace(/^.*[/\\]/, "")));
}
