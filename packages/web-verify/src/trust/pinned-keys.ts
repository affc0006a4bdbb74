/**
 * The keys that the reader pins, each with its source. This browser keeps them only if the reader asks for it. A key is
 * 64 lowercase hex characters; other pasted texts are told apart.
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

/** Returns the keys that a page starts with: the remembered ones, and those of its own `#key=` fragment. */
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

/** Returns the keys in a pasted text, each in one piece or in groups; or the fault of the text. */
export function parseKeys(text: string): { readonly keys: readonly string[] } | { readonly fault: string } {
  const hex = text.replaceAll(/\s/g, "").toLowerCase();
  if (hex === "") return { fault: "Paste a key first: 64 hex characters." };
  if (/PRIVATE KEY/.test(text)) return { fault: "This is a private key. Keep it secret: no verifier needs it." };
  if (/-----BEGIN/.test(text))
    return { fault: "This is a key in PEM. Give the raw Ed25519 public key: 64 hex characters." };
  if (hex.startsWith("ed25519-"))
    return {
      fault: "This is a key's fingerprint, which is only for comparing. Give the key itself: 64 hex characters.",
    };
  if (!/^[0-9a-f]+$/.test(hex)) return { fault: "This is no key in hex: 64 characters, 0 to 9 and a to f." };
  if (hex.length % 64 !== 0)
    return { fault: `A key has 64 hex characters, and this has ${hex.length}. Was all of it copied?` };
  return { keys: hex.match(/.{64}/g) ?? [] };
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
