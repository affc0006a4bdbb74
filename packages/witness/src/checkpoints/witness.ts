/**
 * The witness: cosigns a checkpoint that extends what it cosigned before, and stores it before the cosignature leaves
 * (c2sp.org/tlog-witness). Check and store are one transaction; transactions that come together share a commit, and
 * share the write of the high-water mark behind it. It knows no HTTP. It is over 300 lines, so that all that decides on
 * a signature is read in one place.
 */
import { createHash } from "node:crypto";
import {
  COSIGNATURE_LINE,
  cosignatureLine,
  cosignedBytes,
  encodeHex,
  encodeNote,
  encodeNoteLine,
  type Kernel,
  openNote,
  parseVerificationKey,
  type SignatureHex,
  type SignedNote,
  type VerificationKey,
  verificationKey,
} from "@svc/core";
import { type Clock, serviceTime } from "@svc/host/clock";
import { failpoint } from "@svc/host/failpoint";
import { newId } from "@svc/host/ids";
import type { Database, Reader, Writer } from "@svc/host/store";
import { insertFork } from "../forks/forks-store.ts";
import { proveFork } from "../forks/prove-fork.ts";
import { addsSigner, signersOf, withLinesOf } from "../forks/signers.ts";
import type { WitnessKey } from "../keys/key-file.ts";
import type { SignedPoint } from "../keys/mark-store.ts";
import { CHANGED } from "../keys/require-newest.ts";
import { witnessVkey } from "../keys/vkey.ts";
import { streamVkeysOf, vkeysOf } from "../origins/origins-store.ts";
import { serviceOf } from "../origins/stream-origin.ts";
import { WitnessError } from "../witness-error.ts";
import {
  isSealed,
  keepRefused,
  type LatestTree,
  lastSignedTree,
  latestOf,
  pointOf,
  readWitness,
  type SeenNote,
  storeCosigned,
  storedNote,
  versionOf,
} from "./checkpoints-store.ts";
import { isBarred, recordSigner } from "./disowned-store.ts";
import { type CosignedTree, type Judgement, judge } from "./judge.ts";
import { newFork } from "./new-fork.ts";
import { type AddCheckpoint, parseRequest } from "./parse-request.ts";
import { isWhole, sealOf, sumAfter } from "./tree-sum.ts";

/** The answer to a request, by what it means. */
export type Outcome =
  | { readonly kind: "cosigned"; readonly line: string }
  | { readonly kind: "malformed"; readonly fault: string }
  | { readonly kind: "unknown_origin" }
  | { readonly kind: "not_signed" }
  | { readonly kind: "stale"; readonly size: number }
  | { readonly kind: "contradicts" }
  | { readonly kind: "unproven" };

/** Fork evidence that has just been stored. */
export interface FoundFork {
  readonly forkId: string;
  readonly origin: string;
  /** 1 if one key has signed both histories; 2 if that is a key of the log for each. */
  readonly keyCount: number;
  readonly evidence: string;
}

/**
 * `new`: it extends the log, as only the log's own next checkpoint does. `ahead`: it is refused, and of a size that the
 * log can still come to. `old`: one of the others, which anybody can hand in.
 */
export type RequestSort = "new" | "ahead" | "old";

/** The parts with which a witness works. */
export interface WitnessParts {
  readonly kernel: Kernel;
  readonly database: Database;
  readonly name: string;
  readonly key: WitnessKey;
  /** Resolves when this point is on the disk, beside the key. */
  readonly raiseMark: (point: SignedPoint) => Promise<void>;
  readonly clock: Clock;
  /** Counts a signed request of an origin; throws if there were too many of this sort. */
  readonly countOrigin: (origin: string, sort: RequestSort) => void;
  readonly onFork: (fork: FoundFork) => void;
}

/** The result of one transaction. */
interface Decided {
  readonly outcome: Outcome;
  /** How far the mark must be before anything of it leaves; null if no cosignature is in it. */
  readonly point: SignedPoint | null;
  readonly fork: FoundFork | null;
}

/** A request whose log has signed it. */
interface Signed {
  readonly request: AddCheckpoint;
  /** The text that is signed, and the note with the lines of the log alone. */
  readonly text: string;
  readonly note: string;
  readonly keys: readonly VerificationKey[];
  /** The tree against which it was judged before the transaction, and the judgement. */
  readonly judged: { readonly last: CosignedTree | null; readonly judgement: Judgement };
}

/** A signed request before it is counted. */
interface ToCount extends Pick<Signed, "keys"> {
  readonly seen: SeenNote;
  readonly last: CosignedTree | null;
  readonly judgement: Judgement;
}

/** Cosigns checkpoints for one name and key. */
export class Witness {
  readonly #parts: WitnessParts;
  /** The version of the database at which its last trees were whole. */
  #wholeAt: number | null = null;
  /** How far this process has seen the database come. */
  #signedNo = 0;

  constructor(parts: WitnessParts) {
    this.#parts = parts;
  }

  /** Resolves to the answer to the bytes of a request. A cosignature in it, and all it rests on, is on the disk. */
  async addCheckpoint(bytes: Uint8Array): Promise<Outcome> {
    const { kernel, database, raiseMark, onFork } = this.#parts;
    const parsed = parseRequest(bytes);
    if (!parsed.ok) return { kind: "malformed", fault: parsed.fault };
    const { request } = parsed;
    const { origin, treeSize, rootHash } = request.tree;
    const [keys, last] = await database.read(
      async (reader) => [await this.#keysOf(reader, origin), await latestOf(reader, origin)] as const,
    );
    if (keys.length === 0) return { kind: "unknown_origin" };
    const note = ownNote(request.note, keys);
    const opened = openNote(kernel, note, keys);
    if (!opened.ok) return { kind: "not_signed" };
    if (request.oldSize > treeSize)
      return { kind: "malformed", fault: `the old size ${request.oldSize} is above that of the checkpoint` };
    const judgement = judge(kernel, last, request);
    const seen = { origin, treeSize, rootHash: encodeHex(rootHash), note };
    // A note that is refused again changes nothing, and takes nothing of the rate.
    const kept = judgement === "extends" ? null : await database.read((reader) => storedNote(reader, seen));
    if (judgement !== "extends" && kept !== null && !addsSigner(note, kept, keys)) return refusal(judgement, last);
    if (!(await this.#isWithinRate({ seen, keys, last, judgement })))
      return { kind: "stale", size: last?.treeSize ?? 0 };
    const signed = { request, keys, text: opened.text, note, judged: { last, judgement } };
    const { outcome, point, fork } = await database.write((writer) => this.#decide(writer, signed));
    failpoint("witness: stored");
    this.#signedNo = Math.max(this.#signedNo, point?.signedNo ?? 0);
    if (point !== null) await raiseMark(point);
    failpoint("witness: marked");
    if (fork !== null) onFork(fork);
    return outcome;
  }

  /**
   * Counts a request, and resolves to whether it is to be decided; false for a stale one that is only answered. Rejects
   * with the error of `countOrigin` if it must come again.
   */
  async #isWithinRate({ seen, keys, last, judgement }: ToCount): Promise<boolean> {
    const { database, countOrigin } = this.#parts;
    try {
      // A log's notes are public: one who repeats them must not use up the rate of its new ones.
      countOrigin(seen.origin, sortOf(seen.treeSize, last, judgement));
      return true;
    } catch (error) {
      if (judgement === "extends") throw error;
      if ((await database.read((reader) => newFork(reader, seen, keys))) !== null) return true;
      // A log must learn its size, however many others ask.
      if (judgement !== "stale") throw error;
      return false;
    }
  }

  /** It has no effect outside of the transaction: that may be run again. */
  async #decide(writer: Writer, signed: Signed): Promise<Decided> {
    const { kernel } = this.#parts;
    const { request } = signed;
    const { origin, treeSize, rootHash } = request.tree;
    const last = await latestOf(writer, origin);
    const tree = { origin, treeSize, rootHash: encodeHex(rootHash) };
    const kept = await storedNote(writer, tree);
    const seen: SeenNote = { ...tree, note: withLinesOf(kept, signed.note) };
    const { judged } = signed;
    const byTree = isSameTree(last, judged.last) ? judged.judgement : judge(kernel, last, request);
    const judgement = byTree === "extends" && (await isBarred(writer, tree)) ? "contradicts" : byTree;
    if (judgement === "extends") {
      const { line, note, point } = await this.#cosign(writer, last, kept, signed);
      const fork = await this.#contradiction(writer, { ...seen, note }, signed.keys);
      return { outcome: { kind: "cosigned", line }, point, fork };
    }
    const fork = await this.#contradiction(writer, seen, signed.keys);
    await keepRefused(writer, seen, last?.treeSize ?? 0);
    // Evidence can hold a cosignature of another request, whose mark is still being written.
    const point = fork === null ? null : await this.#pointNow(writer);
    return { outcome: refusal(judgement, last), point, fork };
  }

  async #pointNow(reader: Reader): Promise<SignedPoint> {
    const row = await readWitness(reader);
    if (row === null) throw new WitnessError("The database holds no witness.");
    return pointOf(row);
  }

  /** Rejects with WitnessError if somebody else has changed the last trees since they were looked at. */
  async #requireWhole(reader: Reader): Promise<SignedPoint> {
    const [row, version] = [await readWitness(reader), await versionOf(reader)];
    if (row === null || !isSealed(row)) throw new WitnessError(CHANGED);
    // Nothing in memory follows the rows: what this connection writes keeps them whole, or is undone as a whole.
    if (version !== this.#wholeAt) {
      const isOlder = row.signed_no < this.#signedNo;
      if (isOlder || !(await isWhole(this.#parts.key.memory, reader, row))) throw new WitnessError(CHANGED);
      this.#wholeAt = version;
    }
    return pointOf(row);
  }

  async #cosign(
    writer: Writer,
    last: LatestTree | null,
    kept: string | null,
    { request, text, note: logged, keys }: Signed,
  ) {
    const { kernel, name, key, clock } = this.#parts;
    const { origin, treeSize, rootHash } = request.tree;
    const before = await this.#requireWhole(writer);
    if (!isSameTree(last, await lastSignedTree(writer, origin)))
      throw new WitnessError(
        `The database does not have the tree of ${origin} that was signed last: it was changed, and nothing is ` +
          `signed. Put the newest database back.`,
      );
    // The times of one origin rise with its sizes, even if the clock goes back.
    const cosignedAt = Math.max(Math.floor(clock() / 1000), last?.cosignedAt ?? 1);
    const signature = encodeHex(key.sign(cosignedBytes(cosignedAt, text))) as SignatureHex;
    const line = encodeNoteLine(cosignatureLine(kernel, name, key.publicKeyHex, cosignedAt, signature));
    failpoint("witness: signed");
    const tree = { origin, treeSize, rootHash: encodeHex(rootHash) };
    const note = withLinesOf(kept, `${logged}${line}`);
    const signedNo = before.signedNo + 1;
    const signedHead = sha256Hex(`${before.signedHead}\n${origin}\n${treeSize}\n${tree.rootHash}\n`);
    const originHash = sha256Hex(origin);
    const treeSum = sumAfter(key.memory, before.treeSum, origin, { from: last, to: tree });
    const point = { signedNo, signedHead, treeSum };
    const seal = sealOf(key.memory, witnessVkey(kernel, name, key.publicKeyHex), point);
    await storeCosigned(writer, last, { ...tree, ...point, note, cosignedAt, originHash, seal });
    for (const { publicKeyHex } of signersOf(logged, keys))
      await recordSigner(writer, origin, verificationKey(kernel, origin, publicKeyHex));
    return { line, note, point };
  }

  /** Stores evidence if another note of the same size is known; resolves to null without one, or without a new one. */
  async #contradiction(writer: Writer, seen: SeenNote, keys: readonly VerificationKey[]): Promise<FoundFork | null> {
    const found = await newFork(writer, seen, keys);
    if (found === null) return null;
    const { other, about, signers } = found;
    const { kernel, clock } = this.#parts;
    const names = { fork_id: newId("frk"), detected_at: serviceTime(clock()) };
    const proven = proveFork(kernel, other, seen.note, signers, names);
    if (proven === null) return null;
    const evidence = new TextDecoder().decode(kernel.canonicalize(proven));
    await insertFork(writer, { ...names, ...about, evidence });
    return { forkId: names.fork_id, origin: seen.origin, keyCount: about.key_count, evidence };
  }

  /** Resolves to the keys of a log: those of its service if they sign the logs of its streams, otherwise its own. */
  async #keysOf(reader: Reader, origin: string): Promise<VerificationKey[]> {
    const service = serviceOf(origin);
    const ofService = service === null ? [] : await streamVkeysOf(reader, service);
    // A list of others may have brought a key for the stream before the operator named the service.
    if (ofService.length === 0) return (await vkeysOf(reader, origin)).map((vkey) => this.#logKey(vkey));
    const keys = ofService.map((vkey) => this.#logKey(vkey));
    // A log's key has the origin as its name, and its identifier depends on that.
    return keys.map(({ publicKeyHex }) => this.#logKey(verificationKey(this.#parts.kernel, origin, publicKeyHex)));
  }

  #logKey(vkey: string): VerificationKey {
    const parsed = parseVerificationKey(this.#parts.kernel, vkey);
    if (!parsed.ok || parsed.key.type === COSIGNATURE_LINE)
      throw new WitnessError(`The database holds ${JSON.stringify(vkey)}, which is no key of a log.`);
    return parsed.key;
  }
}

/**
 * Returns a note with the lines of these keys alone, each once. The other lines could hold anything, and a line that is
 * repeated would cost as many checks, and as much room.
 */
function ownNote({ text, lines }: SignedNote, keys: readonly VerificationKey[]): string {
  const own = lines.filter((line) => keys.some(({ name, keyId }) => name === line.name && keyId === line.keyId));
  const once = new Map(own.map((line) => [encodeNoteLine(line), line]));
  return encodeNote(text, [...once.values()]);
}

function sortOf(treeSize: number, last: CosignedTree | null, judgement: Judgement): RequestSort {
  if (treeSize <= (last?.treeSize ?? -1)) return "old";
  return judgement === "extends" ? "new" : "ahead";
}

function refusal(judgement: Exclude<Judgement, "extends">, last: CosignedTree | null): Outcome {
  return judgement === "stale" ? { kind: "stale", size: last?.treeSize ?? 0 } : { kind: judgement };
}

function isSameTree(one: CosignedTree | null, other: CosignedTree | null): boolean {
  return one?.treeSize === other?.treeSize && one?.rootHash === other?.rootHash;
}

function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
