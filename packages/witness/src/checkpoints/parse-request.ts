/**
 * The body of an `add-checkpoint` request (c2sp.org/tlog-witness): the old size, the lines of a consistency proof, an
 * empty line, and the checkpoint. It verifies nothing.
 */
import {
  type CheckpointNote,
  type NodeHash,
  parseBase64,
  parseCheckpointText,
  parseNote,
  type SignedNote,
} from "@svc/core";
import { MAX_PROOF_LINES } from "../limits.ts";

const OLD_SIZE = /^old (0|[1-9][0-9]{0,15})$/;
const HASH_BYTES = 32;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A parsed request. */
export interface AddCheckpoint {
  /** 0 to 2^53-1. */
  readonly oldSize: number;
  readonly proof: readonly NodeHash[];
  readonly note: SignedNote;
  readonly tree: CheckpointNote;
}

/** A request, or the fault of its bytes in words. */
export type ParsedRequest = { readonly ok: true; readonly request: AddCheckpoint } | Fault;

interface Fault {
  readonly ok: false;
  readonly fault: string;
}

/** Parses a body. Sizes above 2^53-1 are a fault: they are never rounded. */
export function parseRequest(bytes: Uint8Array): ParsedRequest {
  const text = decoded(bytes);
  if (text === null) return fault("the body is not UTF-8");
  const end = text.indexOf("\n\n");
  if (end < 0) return fault("the empty line before the checkpoint is missing");
  const [first = "", ...lines] = text.slice(0, end).split("\n");
  const oldSize = Number(OLD_SIZE.exec(first)?.[1] ?? Number.NaN);
  if (!Number.isSafeInteger(oldSize)) return fault('the first line is not "old" and a decimal size up to 2^53-1');
  if (lines.length > MAX_PROOF_LINES) return fault(`the proof has more than ${MAX_PROOF_LINES} lines`);
  const proof = lines.map((line) => parseBase64(line));
  if (!proof.every((hash): hash is NodeHash => hash?.length === HASH_BYTES))
    return fault("a line of the proof is not base64 of 32 bytes");
  const note = parseNote(text.slice(end + 2));
  if (note === null) return fault("the checkpoint is not a signed note");
  const tree = parseCheckpointText(note.text);
  if (tree === null) return fault("the text of the note is not a checkpoint of a size up to 2^53-1");
  return { ok: true, request: { oldSize, proof, note, tree } };
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

function fault(words: string): Fault {
  return { ok: false, fault: words };
}
