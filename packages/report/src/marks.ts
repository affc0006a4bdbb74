/**
 * Whether bytes that could not be read as evidence bear its marks: names of members that only our kinds have, what a seal or a manifest says that it
 * is, an entry of a package. What bears them stays for core to reject, however broken it is: nobody can turn a bad verdict into "no evidence" without
 * taking out all by which a reader would know the file as evidence.
 */
import { ARTIFACT_PATHS, type Json, MANIFEST_PATH } from "@svc/core";

/** Members that the files of other programs do not have. Each kind has one of them at least that it cannot do without. */
const NAMES = [
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
];
const IS_NAME = new Set(NAMES);
const PROTOCOL = "SVC-(?:PROOFSTREAM|TRUTH-PACKAGE)-\\d";
const IS_PROTOCOL = new RegExp(`^${PROTOCOL}`);
const escaped = (name: string) => name.replaceAll(".", "\\.");
/** In text that is no JSON: a name before its colon, whatever became of the quotes. */
const IN_TEXT = new RegExp(
  `(?:${NAMES.map(escaped).join("|")})[^\\w:;,{}[\\]]*:|${PROTOCOL}|${escaped(MANIFEST_PATH)}`,
  "i",
);
/** A package is known by these entries, in any folder of the archive. `manifest.json` and `events.csv` stand in archives of others too. */
const ENTRIES = [MANIFEST_PATH, ...ARTIFACT_PATHS.filter((path) => path === "proofs.json")];

/** How much text is looked through at once, and how much of it again with the next piece. */
const PIECE_BYTES = 2 ** 20;
const OVERLAP_BYTES = 2 ** 12;

/** Whether a JSON value bears the marks, wherever in it. */
export function valueBearsMarks(value: Json): boolean {
  // A list and no recursion: it may lie deep.
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

/** Whether bytes that are no JSON bear the marks, wherever in them. White space and JSON's escapes hide none. */
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

/** Whether one of an archive's entries is called as an entry of a package, by the last part of its path. */
export function entriesBearMarks(paths: readonly string[]): boolean {
  return paths.some((path) => ENTRIES.includes(path.toLowerCase().replace(/^.*[/\\]/, "")));
}
