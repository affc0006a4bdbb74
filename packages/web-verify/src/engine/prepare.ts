/**
 * The roles of the files: evidence, a trust policy, a payload for a receipt, links between known checkpoints. It gives
 * no verdict; files that are obviously no evidence are named so, as `svc` does.
 */
import {
  detectKind,
  isPayloadEntry,
  type Json,
  type JsonKind,
  type JsonObject,
  joinPayload,
  type Kernel,
  type PublicKeyHex,
  parseTrustPolicy,
  pinKeys,
  TRUST_PATH,
  type TrustPolicy,
} from "@svc/core";
import { escapeText, isTrustFile, otherFormat, shorten } from "@svc/report";
import type { Outcome, Progress, SuppliedFile, SuppliedKeys } from "./messages.ts";
import { readBytes, whyUnread } from "./read-bytes.ts";

/** The thread of an engine. */
export interface EngineThread {
  readonly progress: (progress: Progress) => void;
  /** Lets the thread do other things; rejects if the work is no longer wanted. */
  readonly pause: () => Promise<void>;
  /** About how many bytes it may check in a row, by kernel; the fastest number by default. */
  readonly partBytes?: Readonly<Record<Kernel["name"], number>>;
}

/** Larger files are evidence: no trust policy and no link is as large. */
const LOOKED_INTO_BYTES = 16 * 2 ** 20;
const KID = /^ed25519-[0-9a-f]{16}$/;
const FOLDER = "It is a folder. Open it, and drop the files inside.";

type PreparedFile = {
  readonly name: string;
  readonly blob: Blob;
} /** The bytes where they are no longer those of the file. */ & (
  | { readonly role: "evidence"; readonly bytes?: Uint8Array }
  | { readonly role: "none"; readonly outcome: Outcome }
);

/** Files in their given order, and the trust to verify them under. */
export interface Prepared {
  readonly files: readonly PreparedFile[];
  /** Undefined if the reader pins nobody. */
  readonly trust: TrustPolicy | undefined;
  /** The reader's names for keys, by kid. */
  readonly names: Readonly<Record<string, string>>;
  readonly links: readonly Json[];
  readonly linkKids: readonly string[];
}

/** The role of a file. */
interface Looked {
  readonly file: SuppliedFile;
  /** Undefined if it is of no use for other files. */
  readonly value: Json | undefined;
  readonly outcome: Outcome | null;
}

/** Finds the roles of the files. */
export async function prepareFiles(
  kernel: Kernel,
  files: readonly SuppliedFile[],
  keys: SuppliedKeys,
  salt: string | null,
  { progress, pause }: EngineThread,
): Promise<Prepared> {
  const looked: Looked[] = [];
  for (const [done, file] of files.entries()) {
    progress({ phase: "reading", file: file.name, done, of: files.length });
    looked.push(await look(kernel, file));
    await pause();
  }
  const policies = looked.filter(({ value }) => isTrustFile(value));
  const trustFile = policies.at(-1);
  const read = trustFile?.value === undefined ? null : parseTrustPolicy(kernel, trustFile.value);
  const pins = pinKeys(kernel, keys.pinned as readonly PublicKeyHex[]);
  const policy = read?.ok ? read.policy : null;
  // A trust file with a fault is not ignored: core then rejects everything, and says so.
  const written = read === null || read.ok ? policy : (trustFile?.value as TrustPolicy);
  const trust =
    written === null
      ? pins.signers.length > 0
        ? pins
        : undefined
      : read?.ok
        ? { ...written, signers: [...written.signers, ...pins.signers] }
        : written;

  const named = looked.filter(({ value }) => isNames(value));
  const { receipt, entry, payload } = payloadAmong(looked, salt);
  const prepared = looked.map((one): PreparedFile => {
    const { name, blob } = one.file;
    const base = { name, bytes: blob.size };
    if (one.outcome !== null) return { name, blob, role: "none", outcome: one.outcome };
    if (isTrustFile(one.value)) {
      const fault =
        one === trustFile ? faultOf(read) : "Another trust file was given after it, and counts in its place.";
      const signers = one === trustFile ? (policy?.signers.length ?? 0) : 0;
      return { name, blob, role: "none", outcome: { ...base, role: "trust", signers, fault } };
    }
    if (named.includes(one))
      return { name, blob, role: "none", outcome: { ...base, role: "names", isUsed: policy !== null } };
    if (one === payload || isEntry(one)) {
      const isUsed = one === payload && entry !== null;
      const lacksSalt = one === payload && entry === null;
      return { name, blob, role: "none", outcome: { ...base, role: "payload", isUsed, lacksSalt } };
    }
    if (one !== receipt || entry === null) return { name, blob, role: "evidence" };
    const whole = joinPayload(one.value as JsonObject, entry);
    return { name, blob, role: "evidence", ...(whole === null ? {} : { bytes: kernel.canonicalize(whole) }) };
  });
  return {
    files: prepared,
    trust,
    // Names count only beside a trust file: the sender of the evidence must not name the keys.
    names: policy === null ? {} : Object.assign({}, ...named.map(({ value }) => value)),
    links: linksAmong(looked),
    // A key in the reader's own trust file is no longer the link's word alone.
    linkKids: pinKeys(kernel, keys.fromLink as readonly PublicKeyHex[])
      .signers.map(({ kid }) => kid)
      .filter((kid) => !policy?.signers.some((signer) => signer.kid === kid)),
  };
}

/**
 * Returns the one receipt without a payload, and the one payload that may belong to it, with its salt or bare; a bare
 * payload may be any JSON without another role. `entry`: the payload with its salt; null if the salt is not known.
 */
function payloadAmong(looked: readonly Looked[], salt: string | null) {
  const receipts = looked.filter(({ value }) => isReceiptWithoutPayload(value));
  const entries = looked.filter(isEntry);
  const others = looked.filter((one) => isNothingElse(one) && !isEntry(one));
  const [receipt, more] = receipts;
  const [payload, another] = entries.length > 0 ? entries : others;
  const { value } = payload ?? {};
  if (receipt === undefined || more !== undefined || value === undefined || another !== undefined)
    return { receipt: undefined, payload: undefined, entry: null };
  const salted = salt === null ? null : { payload: value, payload_salt: salt };
  return { receipt, payload, entry: entries.length > 0 ? (value as JsonObject) : salted };
}

/** Says whether a file is a payload with its salt. */
function isEntry({ value }: Looked): boolean {
  return value !== undefined && isPayloadEntry(value);
}

/** Says whether a file can change how another is verified. */
function countsForOthers(value: Json): boolean {
  const kind = detectKind(value);
  return kind === null || LINKS.includes(kind) || isReceiptWithoutPayload(value);
}

/** The kinds that can link another file to what came before it. */
const LINKS: readonly (JsonKind | null)[] = ["consistency", "ivc-epoch"];

/** Says whether a file is JSON that is neither evidence by its members nor a trust policy. */
function isNothingElse({ value, outcome }: Looked): boolean {
  return (
    value !== undefined && outcome === null && detectKind(value) === null && !isTrustFile(value) && !isNames(value)
  );
}

async function look(kernel: Kernel, file: SuppliedFile): Promise<Looked> {
  const base = { name: file.name, bytes: file.blob.size };
  if (file.isFolder) return { file, value: undefined, outcome: { ...base, role: "unreadable", reason: FOLDER } };
  if (file.blob.size > LOOKED_INTO_BYTES) return { file, value: undefined, outcome: null };
  try {
    const bytes = await readBytes(file.blob);
    const format = otherFormat(bytes, true);
    if (format !== null) return { file, value: undefined, outcome: { ...base, role: "other", format } };
    const parsed = bytes[0] === 0x50 ? null : kernel.parseJson(bytes);
    // A file that is only verified is read again then, so that many files are not in memory together.
    return { file, value: parsed?.ok && countsForOthers(parsed.value) ? parsed.value : undefined, outcome: null };
  } catch (error) {
    const reason = error instanceof Error ? whyUnread(error) : String(error);
    return { file, value: undefined, outcome: { ...base, role: "unreadable", reason } };
  }
}

/** Says whether JSON holds the names of keys by kid, as `svc trust` keeps them beside a trust file. */
function isNames(value: Json | undefined): boolean {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return entries.length > 0 && entries.every(([kid, name]) => KID.test(kid) && typeof name === "string");
}

function isReceiptWithoutPayload(value: Json | undefined): boolean {
  if (value === undefined || detectKind(value) !== "receipt") return false;
  return !Object.hasOwn(value as JsonObject, "payload") && !Object.hasOwn(value as JsonObject, "payload_salt");
}

/**
 * Returns the consistency evidence and the epochs among the files. Core ignores those that do not hold here, and
 * rejects each as a separate file.
 */
function linksAmong(looked: readonly Looked[]): Json[] {
  return looked.flatMap(({ value }) => (value !== undefined && LINKS.includes(detectKind(value)) ? [value] : []));
}

function faultOf(read: ReturnType<typeof parseTrustPolicy> | null): string | null {
  if (read === null || read.ok) return null;
  const [fault] = read.problems;
  if (fault === undefined) return "It is no trust policy.";
  const place = fault.path.slice(TRUST_PATH.length);
  return escapeText(shorten(`${fault.code}${place === "" ? "" : ` at ${place}`}. ${fault.message}`));
}
