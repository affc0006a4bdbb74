/**
 * The keys that the reader pins, each with its source. This browser keeps them only if the reader asks for it. A key is
 * 64 lowercase hex characters.
 */

/** Where a key came from. */
export type KeySource = "pasted" | "link" | "remembered";

export interface PinnedKey {
  readonly hex: string;
  readonly source: KeySource;
}

/** The storage name of remembered keys. */
const STORED = "svc-verify-keys";
const KEY = /^[0-9a-f]{64}$/;

/** Returns the keys that a page starts with: the remembered ones, and those of its `#key=` fragment. */
export function firstKeys(fragment: string): PinnedKey[] {
  const remembered = rememberedKeys().map((hex): PinnedKey => ({ hex, source: "remembered" }));
  const fromLink = new URLSearchParams(fragment.replace(/^#/, "")).getAll("key").filter((hex) => KEY.test(hex));
  return fromLink.reduce((keys, hex) => withKey(keys, { hex, source: "link" }), remembered);
}

/** Returns the keys with one more; an action of the reader counts more than a link. */
export function withKey(keys: readonly PinnedKey[], key: PinnedKey): PinnedKey[] {
  const same = keys.find(({ hex }) => hex === key.hex);
  if (same === undefined) return [...keys, key];
  return same.source !== "link" ? [...keys] : keys.map((one) => (one === same ? key : one));
}

/**
 * Says whether this page can remember: browsers keep one store for all files on the disk, where any other file could
 * plant a key.
 */
export function canRemember(): boolean {
  return location.protocol !== "file:";
}

/** Keeps the keys in this browser, or forgets them. Returns false if the browser keeps nothing for this page. */
export function remember(keys: readonly PinnedKey[], isWanted: boolean): boolean {
  try {
    if (!canRemember()) return false;
    if (isWanted) localStorage.setItem(STORED, JSON.stringify(keys.map(({ hex }) => hex)));
    else localStorage.removeItem(STORED);
    return true;
  } catch {
    return false;
  }
}

/** Returns the remembered keys. */
export function rememberedKeys(): string[] {
  try {
    if (!canRemember()) return [];
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? "[]");
    return Array.isArray(stored) ? stored.filter((hex) => typeof hex === "string" && KEY.test(hex)) : [];
  } catch {
    return [];
  }
}
