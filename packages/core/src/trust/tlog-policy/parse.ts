/**
 * Parses a C2SP tlog-policy strictly (c2sp.org/tlog-policy). The first fault in text order ends the reading: a policy
 * is understood whole or not at all. It does not check whether the keys are points of the curve; a key that is not a
 * point verifies nothing.
 */
import type { Kernel } from "../../kernel/kernel.ts";
import { COSIGNATURE_LINE, ED25519_LINE, ML_DSA_LINE } from "../../note/signed-note.ts";
import { type AnyVerificationKey, readVerificationKey } from "../../note/verification-key.ts";
import type { TlogLog, TlogMember, TlogPolicy, TlogWitness } from "./policy.ts";

/**
 * A policy may name so many logs, so many witnesses and so many groups; the specification wants at least 32 of each.
 */
export const MAX_TLOG_DEFINITIONS = 1024;

/** The word on the quorum line for no cosignature at all, instead of a witness or group. */
const NONE = "none";
/**
 * The characters that may not be in a policy: control characters except tab, and lone surrogates, which no bytes
 * stand for.
 */
const FORBIDDEN = /[\u0000-\u0008\u000a-\u001f\u007f\p{Surrogate}]/u;
const WHITE_SPACE = /[ \t]/;
const THRESHOLD = /^[1-9][0-9]{0,3}$/;
/** A message quotes so much of a text. */
const QUOTED_CHARACTERS = 60;

const LOG_TYPES = [ED25519_LINE, ML_DSA_LINE] as const;
const WITNESS_TYPES = [COSIGNATURE_LINE, ML_DSA_LINE] as const;

/** The fault of a text that is no policy. */
export interface TlogPolicyFault {
  /** The number of its line, from 1; for something missing, the last line of the text. */
  readonly line: number;
  /** `unsupported_object`: a key of a type that this release does not know. `malformed`: everything else. */
  readonly code: "malformed" | "unsupported_object";
  /** The fault and the right form, in one sentence. */
  readonly message: string;
}

/** A policy, or its first fault. */
export type ParsedTlogPolicy =
  | { readonly ok: true; readonly policy: TlogPolicy }
  | ({ readonly ok: false } & TlogPolicyFault);

/**
 * Parses a policy text (c2sp.org/tlog-policy). `text`: every line ends in a newline, also the last one: a truncated
 * text could mean another quorum. Returns the policy, or its first fault with its line and code: `unsupported_object`
 * for a key of a type that this release does not know, `malformed` for everything else. Never throws. It does not check
 * the keys themselves.
 *
 * @example
 * const read = parseTlogPolicy(selectKernel(), "quorum none\n");
 * console.log(read.ok); // true
 */
export function parseTlogPolicy(kernel: Kernel, text: string): ParsedTlogPolicy {
  const reader = new Reader(kernel);
  const lines = text.split("\n");
  for (const [index, line] of lines.slice(0, -1).entries()) {
    const fault = reader.read(line);
    if (fault !== null) return { ok: false, line: index + 1, ...fault };
  }
  const end = lines.length;
  if (lines.at(-1) !== "") return { ok: false, line: end, ...malformed("The last line does not end in a newline.") };
  const { quorum, logs, witnesses } = reader;
  if (quorum === undefined)
    return { ok: false, line: end, ...malformed("There is no quorum line; `quorum none` asks for no cosignature.") };
  return { ok: true, policy: { logs, witnesses, quorum } };
}

type Fault = Omit<TlogPolicyFault, "line">;

/** Reads line after line. Every method returns the fault of its line, or null. */
class Reader {
  readonly logs: TlogLog[] = [];
  readonly witnesses: TlogWitness[] = [];
  quorum: TlogMember | null | undefined;

  readonly #kernel: Kernel;
  readonly #named = new Map<string, TlogMember>();
  readonly #grouped = new Set<TlogMember>();
  readonly #logKeys = new Set<string>();
  readonly #witnessKeys = new Set<string>();
  #groups = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  read(line: string): Fault | null {
    if (FORBIDDEN.test(line)) return malformed("The line has a control character; only tabs are allowed.");
    const items = line.split(WHITE_SPACE).filter((item) => item !== "");
    const [keyword, ...rest] = items;
    if (keyword === undefined || keyword.startsWith("#")) return null;
    switch (keyword) {
      case "log":
        return this.#log(rest);
      case "witness":
        return this.#witness(rest);
      case "group":
        return this.#group(rest);
      case "quorum":
        return this.#quorum(rest);
      default:
        return malformed(`A line begins with log, witness, group, quorum or #, and this one with ${quoted(keyword)}.`);
    }
  }

  #log([vkey, url, ...more]: readonly string[]): Fault | null {
    if (vkey === undefined || more.length > 0) return malformed("A log line is: log <vkey> [<url>].");
    const read = this.#key(vkey, LOG_TYPES, this.#logKeys, "log");
    if ("code" in read) return read;
    this.logs.push({ key: read, url: url ?? null });
    return tooMany(this.logs.length, "logs");
  }

  #witness([name, vkey, url, ...more]: readonly string[]): Fault | null {
    if (name === undefined || vkey === undefined || more.length > 0)
      return malformed("A witness line is: witness <name> <vkey> [<url>].");
    const taken = this.#takenName(name);
    if (taken !== null) return taken;
    const read = this.#key(vkey, WITNESS_TYPES, this.#witnessKeys, "witness");
    if ("code" in read) return read;
    const witness: TlogWitness = { kind: "witness", name, key: read, url: url ?? null };
    this.witnesses.push(witness);
    this.#named.set(name, witness);
    return tooMany(this.witnesses.length, "witnesses");
  }

  #group([name, wanted, ...names]: readonly string[]): Fault | null {
    if (name === undefined || wanted === undefined || names.length === 0)
      return malformed("A group line is: group <name> all|any|<k> <member>...");
    const taken = this.#takenName(name);
    if (taken !== null) return taken;
    const members: TlogMember[] = [];
    for (const one of names) {
      const member = this.#named.get(one);
      if (member === undefined) return malformed(undefinedName(one, "a member"));
      if (this.#grouped.has(member))
        return malformed(`${quoted(one)} is already a member of a group; a name may be one once.`);
      this.#grouped.add(member);
      members.push(member);
    }
    const threshold = thresholdOf(wanted, members.length);
    if (threshold === null)
      return malformed(
        `A group of ${members.length} asks for all, any or 1 to ${members.length}, not ${quoted(wanted)}.`,
      );
    this.#groups++;
    this.#named.set(name, { kind: "group", name, threshold, members });
    return tooMany(this.#groups, "groups");
  }

  #quorum([name, ...more]: readonly string[]): Fault | null {
    if (name === undefined || more.length > 0) return malformed("A quorum line is: quorum <name>, or quorum none.");
    if (this.quorum !== undefined) return malformed("A second quorum line; a policy has one.");
    const member = name === NONE ? null : this.#named.get(name);
    if (member === undefined) return malformed(undefinedName(name, "the quorum"));
    this.quorum = member;
    return null;
  }

  #takenName(name: string): Fault | null {
    if (name === NONE) return malformed("The name none is taken: it stands for no quorum.");
    return this.#named.has(name) ? malformed(`The name ${quoted(name)} is already defined.`) : null;
  }

  /**
   * Returns a key of one of these types that no other line of the kind has. Its name and key id do not tell two keys
   * apart.
   */
  #key(
    vkey: string,
    types: readonly AnyVerificationKey["type"][],
    known: Set<string>,
    what: string,
  ): AnyVerificationKey | Fault {
    const read = readVerificationKey(this.#kernel, vkey);
    if (!read.ok) return keyFault(read.code, vkey);
    const { type, keyHex } = read.key;
    if (!types.includes(type)) {
      const allowed = types.map((one) => `0x0${one}`).join(" or ");
      return malformed(`The key of a ${what} is of signature type ${allowed}, and this one of 0x0${type}.`);
    }
    if (known.has(keyHex)) return malformed(`Another ${what} line has the same public key.`);
    known.add(keyHex);
    return read.key;
  }
}

function thresholdOf(wanted: string, members: number): number | null {
  if (wanted === "any") return 1;
  if (wanted === "all") return members;
  const threshold = THRESHOLD.test(wanted) ? Number(wanted) : 0;
  return threshold >= 1 && threshold <= members ? threshold : null;
}

function keyFault(code: "malformed" | "unsupported_object" | "kid_mismatch", vkey: string): Fault {
  const shown = quoted(vkey);
  if (code === "kid_mismatch") return malformed(`The key id in ${shown} is not that of its name, type and key.`);
  if (code === "malformed")
    return malformed(`${shown} is not a C2SP verification key: name, 8 hex digits and base64, joined by +.`);
  return { code, message: `${shown} is a key of a signature type that this release does not know.` };
}

function undefinedName(name: string, what: string): string {
  return `${quoted(name)} is named as ${what}, and no line before this one defines it.`;
}

function tooMany(count: number, what: string): Fault | null {
  return count > MAX_TLOG_DEFINITIONS ? malformed(`There are more than ${MAX_TLOG_DEFINITIONS} ${what}.`) : null;
}

function malformed(message: string): Fault {
  return { code: "malformed", message };
}

function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED_CHARACTERS ? `${text.slice(0, QUOTED_CHARACTERS)}…`.toWellFormed() : text);
}
