/** Pasted texts: the keys in each form in which people write them, and what other texts are. */

/** The bytes before the raw key in the SPKI form of an Ed25519 key (RFC 8410). */
const SPKI_PREFIX = "302a300506032b6570032100";

/** Returns the raw key of a public key in PEM in hex; null for any other text. */
function rawKeyIn(text: string): string | null {
  const [, base64 = ""] =
    /^\s*-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----\s*$/.exec(text) ?? [];
  let hex = "";
  try {
    for (const character of atob(base64)) hex += character.charCodeAt(0).toString(16).padStart(2, "0");
  } catch {
    return null;
  }
  const isEd25519 = hex.startsWith(SPKI_PREFIX) && hex.length === SPKI_PREFIX.length + 64;
  return isEd25519 ? hex.slice(SPKI_PREFIX.length) : null;
}

/**
 * Returns the keys in a pasted text, each in one piece or in groups, with 0x before it or colons between; or one in
 * PEM. Otherwise returns the fault of the text.
 */
export function parseKeys(text: string): { readonly keys: readonly string[] } | { readonly fault: string } {
  const inPem = rawKeyIn(text);
  if (inPem !== null) return { keys: [inPem] };
  const hex = text.replaceAll(/(?<![0-9a-f])0x|[\s:]/gi, "").toLowerCase();
  if (hex === "") return { fault: "Paste a key first: 64 hex characters." };
  if (/PRIVATE KEY/.test(text)) return { fault: "This is a private key. Keep it secret: no verifier needs it." };
  if (/-----BEGIN/.test(text))
    return { fault: "This PEM holds no whole public key of Ed25519. Give the raw key: 64 hex characters." };
  if (hex.startsWith("ed25519-"))
    return {
      fault: "This is a key's fingerprint, which is only for comparing. Give the key itself: 64 hex characters.",
    };
  if (!/^[0-9a-f]+$/.test(hex))
    return { fault: `This is no key in hex: 64 characters, 0 to 9 and a to f.${strange(text)}` };
  if (hex.length % 64 !== 0)
    return { fault: `A key has 64 hex characters, and this has ${hex.length}. Was all of it copied?` };
  return { keys: hex.match(/.{64}/g) ?? [] };
}

/** Returns where the one strange character in a key stands, which nobody may see; empty for other texts. */
function strange(text: string): string {
  const characters = [...text];
  const found = characters.flatMap((character, at) => (/[0-9a-fx\s:]/i.test(character) ? [] : [at]));
  const [at] = found;
  if (at === undefined || found.length > 1) return "";
  const code = characters[at]?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  return ` Character ${at + 1} of what you gave is no hex digit (U+${code}).`;
}
