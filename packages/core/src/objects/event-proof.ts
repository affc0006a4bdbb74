/**
 * One event as a C2SP tlog-proof (c2sp.org/tlog-proof), for verifiers that know nothing but transparency logs. The leaf
 * is the hash of the event's window in the checkpoint tree, at index `window_no` - 1. The extra data leads from the
 * event to the window: it is a portable receipt that ends at its window (protocol sections 9 and 13). Nobody signed
 * that data, so `verify` must check it.
 */
import { hexToBytes } from "../encoding/hex.ts";
import type { JsonErrorCode, Kernel, NodeHash } from "../kernel/kernel.ts";
import { cosignatureLine } from "../note/cosignature.ts";
import { encodeNote, encodeNoteLine, MAX_NOTE_LINES, parseNote } from "../note/signed-note.ts";
import { encodeTlogProof, type TlogProof } from "../note/tlog-proof.ts";
import { validatorOf } from "../schema/check.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { witnessPolicyDigest } from "./policy.ts";
import { PortableReceipt } from "./portable-receipt/schema.ts";
import { windowHash } from "./window.ts";

const portableReceiptErrors = validatorOf(PortableReceipt);

/**
 * Returns the text of a `.tlog-proof` for the event of a portable receipt (protocol section 13, c2sp.org/tlog-proof).
 * `portable`: it must lead to a checkpoint; witness statements about that become cosignature lines. Throws RangeError
 * if it leads to no checkpoint, or if the checkpoint's note is no signed note. It only copies the parts, and does not
 * check that they hold: `verify` does.
 *
 * @example
 * console.log(issueEventProof(kernel, portable).split("\n")[0]); // c2sp.org/tlog-proof@v1
 */
export function issueEventProof(kernel: Kernel, portable: PortableReceipt): string {
  const { format, version, receipt, inclusion, window, checkpoint_inclusion, checkpoint } = portable;
  const { key_hints, key_endorsements } = portable;
  if (window === undefined || checkpoint_inclusion === undefined || checkpoint === undefined)
    throw new RangeError("the event is under no checkpoint yet: a tlog-proof needs one");
  const toWindow = {
    format,
    version,
    receipt,
    ...(inclusion === undefined ? {} : { inclusion }),
    window,
    ...(key_hints === undefined ? {} : { key_hints }),
    ...(key_endorsements === undefined ? {} : { key_endorsements }),
  };
  return encodeTlogProof({
    extra: kernel.canonicalize(toWindow),
    index: checkpoint_inclusion.window_no - 1,
    path: checkpoint_inclusion.path.map(hexToBytes),
    checkpoint: cosignedNote(kernel, portable, checkpoint),
  });
}

/** The parts of an event's proof. Nothing of them is verified. */
export type OpenedEventProof =
  | {
      readonly ok: true;
      /** The evidence from the event to its window; `verify` the bytes `proof.extra`. */
      readonly portable: PortableReceipt;
      /** The leaf for which the proof must hold (`verifyTlogProof`), 32 bytes. */
      readonly leafHash: NodeHash;
    }
  | {
      readonly ok: false;
      readonly code: JsonErrorCode | "missing_member" | "malformed" | "inclusion_invalid" | "stream_mismatch";
    };

/**
 * Opens the tlog-proof of an event: parses its extra data, and computes the leaf (protocol section 13). The proof: from
 * `parseTlogProof`. Returns the portable receipt and the leaf hash, or one code: `missing_member` if there is no extra
 * data, or if it ends before the window; `malformed`, or a code of the JSON parser, if it is no portable receipt;
 * `inclusion_invalid` if the proof is for the place of another window; `stream_mismatch` if its checkpoint is of
 * another stream than the event. It verifies nothing: give the leaf to `verifyTlogProof` and the extra data to
 * `verify`.
 *
 * @example
 * const parsed = parseTlogProof(issueEventProof(kernel, portable));
 * const opened = parsed.ok ? openEventProof(kernel, parsed.proof) : null;
 * console.log(opened?.ok && opened.portable.receipt.seq_no); // 2
 */
export function openEventProof(kernel: Kernel, { extra, index, tree }: TlogProof): OpenedEventProof {
  if (extra === null) return { ok: false, code: "missing_member" };
  const parsed = kernel.parseJson(extra);
  if (!parsed.ok) return { ok: false, code: parsed.code };
  if (portableReceiptErrors(parsed.value).length > 0) return { ok: false, code: "malformed" };
  const portable = parsed.value as PortableReceipt;
  const { receipt, window } = portable;
  if (window === undefined) return { ok: false, code: "missing_member" };
  if (window.window_no !== index + 1) return { ok: false, code: "inclusion_invalid" };
  const { stream_id } = window;
  if (receipt.stream_id !== stream_id || !tree.origin.endsWith(`/${stream_id}`))
    return { ok: false, code: "stream_mismatch" };
  return { ok: true, portable, leafHash: kernel.leafHash(hexToBytes(windowHash(kernel, window))) };
}

/**
 * Returns the checkpoint's note with the statements about it as lines, as many as a note may have. A line that is
 * already there is not repeated.
 */
function cosignedNote(kernel: Kernel, { witnesses }: PortableReceipt, checkpoint: Checkpoint): string {
  const note = parseNote(checkpoint.note);
  if (note === null) throw new RangeError("the checkpoint's note is not a signed note");
  const policy = witnesses?.witness_policies.find(
    (one) => witnessPolicyDigest(kernel, one) === checkpoint.witness_policy_digest,
  );
  const lines = new Map(note.lines.map((line) => [encodeNoteLine(line), line]));
  for (const { checkpoint_id, witness_id, key_epoch, cosigned_at, signature } of witnesses?.statements ?? []) {
    const key = policy?.witnessKeys.find((one) => one.witness_id === witness_id && one.key_epoch === key_epoch);
    if (key === undefined || checkpoint_id !== checkpoint.checkpoint_id) continue;
    const line = cosignatureLine(kernel, key.name, key.public_key_hex, cosigned_at, signature);
    lines.set(encodeNoteLine(line), line);
  }
  return encodeNote(note.text, [...lines.values()].slice(0, MAX_NOTE_LINES));
}
