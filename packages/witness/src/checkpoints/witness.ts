/**
 * The witness: cosigns a checkpoint that extends what it cosigned before, and stores it before the cosignature leaves
 * (c2sp.org/tlog-witness). Check and store are one transaction; transactions that come together share a commit, and
 * share the write of the high-water mark behind it. It knows no HTTP.
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
} from "@svc/core";
import { type Clock, serviceTime } from "@svc/host/clock";
import { failpoint } from "@svc/host/failpoint";
import { newId } from "@svc/host/ids";
import type { Database, Writer } from "@svc/host/store";
import { insertFork, knownForks } from "../forks/forks-store.ts";
import { proveFork } from "../forks/prove-fork.ts";
import type { WitnessKey } from "../keys/key-file.ts";
import type { SignedPoint } from "../keys/mark-store.ts";
import { MAX_FORKS_OF_ORIGIN } from "../limits.ts";
import { vkeysOf } from "../origins/origins-store.ts";
import { WitnessError } from "../witness-error.ts";
import {
  contradicted,
  keepRefused,
  type LatestTree,
  latestOf,
  readWitness,
  type SeenNote,
  storeCosigned,
} from "./checkpoints-store.ts";
import { judge } from "./judge.ts";
import { type AddCheckpoint, parseRequest } from "./parse-request.ts";

/** The answer to a request, by what it means. */
export type Outcome =
  | { readonly kind: "cosigned"; readonly line: string }
  | { readonly kind: "malformed"; readonly fault: string }
  | { readonly kind: "unknown_origin" }
  | { readonly kind: "not_signed" }
  | { readonly kind: "stale"; readonly size: number }
  | { readonly kind: "contradicts"; readonly size: number }
  | { readonly kind: "unproven" };

/** Fork evidence that has just been stored. */
export interface FoundFork {
  readonly forkId: string;
  readonly origin: string;
  readonly evidence: string;
}

/** The parts with which a witness works. */
export interface WitnessParts {
  readonly kernel: Kernel;
  readonly database: Database;
  readonly name: string;
  readonly key: WitnessKey;
  /** Resolves when this point is on the disk, beside the key. */
  readonly raiseMark: (point: SignedPoint) => Promise<void>;
  readonly clock: Clock;
  /** Counts a signed request of an origin; throws to refuse it. */
  readonly countOrigin: (origin: string) => void;
  readonly onFork: (fork: FoundFork) => void;
}

/** The result of one transaction. */
interface Decided {
  readonly outcome: Outcome;
  /** Null if nothing was signed. */
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
}

/** Cosigns checkpoints for one name and key. */
export class Witness {
  readonly #parts: WitnessParts;

  constructor(parts: WitnessParts) {
    this.#parts = parts;
  }

  /** Resolves to the answer to the bytes of a request. A cosignature in it, and all it rests on, is on the disk. */
  async addCheckpoint(bytes: Uint8Array): Promise<Outcome> {
    const { kernel, database, countOrigin, raiseMark, onFork } = this.#parts;
    const parsed = parseRequest(bytes);
    if (!parsed.ok) return { kind: "malformed", fault: parsed.fault };
    const { request } = parsed;
    const { origin, treeSize } = request.tree;
    const vkeys = await database.read((reader) => vkeysOf(reader, origin));
    if (vkeys.length === 0) return { kind: "unknown_origin" };
    const keys = vkeys.map((vkey) => this.#logKey(vkey));
    const note = ownNote(request.note, keys);
    const opened = openNote(kernel, note, keys);
    if (!opened.ok) return { kind: "not_signed" };
    // Only the log itself can use up its rate.
    countOrigin(origin);
    if (request.oldSize > treeSize)
      return { kind: "malformed", fault: `the old size ${request.oldSize} is above that of the checkpoint` };
    const signed = { request, keys, text: opened.text, note };
    const { outcome, point, fork } = await database.write((writer) => this.#decide(writer, signed));
    failpoint("witness: stored");
    if (point !== null) await raiseMark(point);
    failpoint("witness: marked");
    if (fork !== null) onFork(fork);
    return outcome;
  }

  /** It has no effect outside of the transaction: that may be run again. */
  async #decide(writer: Writer, signed: Signed): Promise<Decided> {
    const { kernel } = this.#parts;
    const { request } = signed;
    const { origin, treeSize, rootHash } = request.tree;
    const last = await latestOf(writer, origin);
    const seen: SeenNote = { origin, treeSize, rootHash: encodeHex(rootHash), note: signed.note };
    const judgement = judge(kernel, last, request);
    if (judgement === "extends") {
      const { line, note, point } = await this.#cosign(writer, last, signed);
      const fork = await this.#contradiction(writer, { ...seen, note }, signed.keys);
      return { outcome: { kind: "cosigned", line }, point, fork };
    }
    const fork = await this.#contradiction(writer, seen, signed.keys);
    await keepRefused(writer, seen);
    const outcome: Outcome =
      judgement === "unproven" ? { kind: "unproven" } : { kind: judgement, size: last?.treeSize ?? 0 };
    return { outcome, point: null, fork };
  }

  async #cosign(writer: Writer, last: LatestTree | null, { request, text, note: logged }: Signed) {
    const { kernel, name, key, clock } = this.#parts;
    const { origin, treeSize, rootHash } = request.tree;
    const before = await readWitness(writer);
    if (before === null) throw new WitnessError("The database holds no witness.");
    // The times of one origin rise with its sizes, even if the clock goes back.
    const cosignedAt = Math.max(Math.floor(clock() / 1000), last?.cosignedAt ?? 1);
    const signature = encodeHex(key.sign(cosignedBytes(cosignedAt, text))) as SignatureHex;
    const line = encodeNoteLine(cosignatureLine(kernel, name, key.publicKeyHex, cosignedAt, signature));
    failpoint("witness: signed");
    const tree = { origin, treeSize, rootHash: encodeHex(rootHash) };
    const note = `${logged}${line}`;
    const signedNo = before.signed_no + 1;
    const signedHead = sha256Hex(`${before.signed_head}\n${origin}\n${treeSize}\n${tree.rootHash}\n`);
    const originHash = sha256Hex(origin);
    await storeCosigned(writer, last, { ...tree, note, cosignedAt, originHash, signedNo, signedHead });
    return { line, note, point: { signedNo, signedHead } };
  }

  /** Stores evidence if another note of the same size is known; resolves to null if there is none, or none is new. */
  async #contradiction(writer: Writer, seen: SeenNote, keys: readonly VerificationKey[]): Promise<FoundFork | null> {
    const other = await contradicted(writer, seen);
    if (other === null) return null;
    const { origin, treeSize: tree_size } = seen;
    const roots = { origin, tree_size, left_root: other.rootHash, right_root: seen.rootHash };
    const { count, isKnown } = await knownForks(writer, roots);
    if (isKnown || count >= MAX_FORKS_OF_ORIGIN) return null;
    const { kernel, clock } = this.#parts;
    const names = { fork_id: newId("frk"), detected_at: serviceTime(clock()) };
    const proven = proveFork(kernel, other.note, seen.note, keys, names);
    if (proven === null) return null;
    const evidence = new TextDecoder().decode(kernel.canonicalize(proven));
    await insertFork(writer, { ...names, ...roots, evidence });
    return { forkId: names.fork_id, origin, evidence };
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

function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
