/**
 * Stand-ins for values that differ between two runs: ids, keys, hashes, signatures, times, addresses. The same value
 * has the same stand-in on the whole page, so that readers see which answer names the result of another one.
 */
import { VERSION } from "@svc/core";

/** The values that differ, by the name of their stand-ins. The first pattern that matches a text wins. */
const PATTERNS = {
  key: /svc_sk_[0-9a-z]{26}_[\w-]{43}/,
  id: /\b[a-z]+_[0-9a-hjkmnp-tv-z]{26}\b/,
  kid: /\bed25519-[0-9a-f]{16}\b/,
  signature: /\b[0-9a-f]{128}\b/,
  hash: /\b(?!0{64})[0-9a-f]{64}\b/,
  salt: /\b[0-9a-f]{32}\b/,
  uuid: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/,
  time: /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/,
  folder: /\/\S+\/svc-data(?:-\w+)?\b/,
  url: /http:\/\/127\.0\.0\.1:\d+/,
  vkey: /[\w./-]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}/,
  // The size of the service log, in a note.
  size: /(?<=\bevidence\.example\.com\n)\d+(?=\n)/,
  // The length of a package, and its last byte before it: the path in it is as long as the service log has become.
  length: /(?<=^Content-Range: bytes (?:\*\/|\d+-\d+\/|\d{3,}-)|\bThe package has )\d+(?:\/\d+)?/,
  // Base64url of an id.
  cursor: /\bc3RyX[\w-]{35}/,
  x: /(?<![\w+/-])[A-Za-z0-9_-]{43}(?![\w+/=-])/,
  base64: /(?<![\w+/-])(?!0{64})[A-Za-z0-9+/]{40,}={0,2}(?![\w+/=-])/,
} as const;
type Sort = keyof typeof PATTERNS;

/** The bytes of every package. */
const BYTES = 8192;
/** All times are one: a run's speed decides which of them are equal. */
const TIME = "2026-03-01T09:15:31.000Z";
const ANY = new RegExp(
  Object.entries(PATTERNS)
    .map(([name, { source }]) => `(?<${name}>${source})`)
    .join("|"),
  "gm",
);

/** Numbers that differ, by the names of their members. */
const NUMBERS: Readonly<Record<string, number>> = {
  pid: 4711,
  cosigned_at: 1772356531,
  size_bytes: BYTES,
  // Epochs are made meanwhile.
  epoch_no: 3,
  log_size: 5,
  leaf_index: 0,
};

export class StandIns {
  readonly #known = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #since: string;

  /** Times from `since` on belong to the run; earlier ones are part of the examples. */
  constructor(since: Date) {
    this.#since = since.toISOString();
  }

  /** Returns the text with stand-ins. */
  in(text: string): string {
    if (text === VERSION) return "<version>";
    return text.replaceAll(ANY, (value: string, ...rest: unknown[]) => {
      const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
      const sort = Object.keys(groups).find((name) => groups[name] !== undefined) as Sort;
      return this.#of(sort, value);
    });
  }

  /** Returns the member of an answer, or a stand-in if it is a number that differs. */
  number(member: string, value: number): number {
    return NUMBERS[member] ?? value;
  }

  #of(sort: Sort, value: string): string {
    if (sort === "time") return value < this.#since ? value : TIME;
    if (sort === "length") return value.includes("/") ? `${BYTES - 1}/${BYTES}` : `${BYTES}`;
    if (sort === "folder") return `/home/you/${value.slice(value.lastIndexOf("/") + 1)}`;
    if (sort === "url") return this.#counted("http://127.0.0.1:", value, 8786);
    if (sort === "id") return this.#counted(value.slice(0, value.indexOf("_") + 1), value);
    if (sort === "key") return this.#counted("svc_sk_", value);
    if (sort === "kid") return this.#counted("ed25519-", value);
    return `<${this.#counted(`${sort} `, value)}>`;
  }

  #counted(name: string, value: string, before = 0): string {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const count = (this.#counts.get(name) ?? before) + 1;
    this.#counts.set(name, count);
    this.#known.set(value, name + count);
    return name + count;
  }
}
