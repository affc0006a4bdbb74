/**
 * The value of `--public-key-hex`. A raw public key in hex counts in each form in which people write one, and in PEM.
 * They give other things too; each such mistake is recognised and has its own line. A value is never repeated in a
 * message: it may be a private key.
 */
import { existsSync } from "node:fs";
import { encodeHex, type PublicKeyHex, parseBase64 } from "@svc/core";
import { EXIT, Refusal } from "./exit.ts";

/** 32 bytes. */
const KEY_CHARACTERS = 64;
/** The bytes before the raw key in the SPKI form of an Ed25519 key (RFC 8410). */
const SPKI_PREFIX = "302a300506032b6570032100";
const PEM = /^\s*-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]*)-----END PUBLIC KEY-----\s*$/;
const GIVE_HEX = `Give the raw Ed25519 public key as ${KEY_CHARACTERS} lowercase hex characters.`;

/**
 * Parses a raw Ed25519 public key in hex, with 0x before it, in groups, with colons or in uppercase, or one in PEM.
 * Refuses everything else with a usage error that says what it looks like.
 */
export function parsePublicKeyHex(given: string): PublicKeyHex {
  const text = rawKeyIn(given) ?? plainHex(given);
  if (text.length === KEY_CHARACTERS && /^[0-9a-f]+$/.test(text)) return text as PublicKeyHex;
  const [what, action] = mistake(text);
  throw new Refusal(EXIT.usage, `--public-key-hex: ${what}`, action);
}

/** Returns hex digits without what people put before and between them; any other text as it is. */
export function plainHex(given: string): string {
  const digits = given.trim().replace(/^0x/i, "");
  return /^[0-9a-f\s:]+$/i.test(digits) ? digits.replaceAll(/[\s:]/g, "").toLowerCase() : given;
}

/** Returns the raw key of a public key in PEM; null for any other text. */
function rawKeyIn(given: string): string | null {
  const [, base64] = PEM.exec(given) ?? [];
  const bytes = base64 === undefined ? null : parseBase64(base64.replaceAll(/\s/g, ""));
  const hex = bytes === null ? "" : encodeHex(bytes);
  const isEd25519 = hex.startsWith(SPKI_PREFIX) && hex.length === SPKI_PREFIX.length + KEY_CHARACTERS;
  return isEd25519 ? hex.slice(SPKI_PREFIX.length) : null;
}

function mistake(text: string): readonly [string, string] {
  if (text === "") return ["the key is empty.", `${GIVE_HEX} Is a variable unset?`];
  if (text.includes("PRIVATE KEY"))
    return ["this is a private key in PEM.", `Keep it secret; it is not needed here. ${GIVE_HEX}`];
  if (text.includes("-----BEGIN")) return ["this PEM holds no whole public key of Ed25519.", GIVE_HEX];
  if (text.startsWith("ssh-")) return ["this is an SSH key, not hex.", GIVE_HEX];
  if (/^ed25519-[0-9a-f]*$/i.test(text))
    return ["this is a key's fingerprint, not the key.", `${GIVE_HEX} A fingerprint is only for comparing.`];
  if (/^[0-9a-f]+$/i.test(text)) return mistakeInHex(text);
  if (existsSync(text)) return ["this is a file, not a key.", `${GIVE_HEX} The key is inside the file.`];
  if (/\.(pem|pub|key|hex|txt|json|der)$/i.test(text))
    return ["this looks like the name of a file, not a key.", `${GIVE_HEX} The key is inside the file.`];
  if (/^[^+\s]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*$/.test(text))
    return ["this is a verifier key of a signed note (name+id+key), not hex.", GIVE_HEX];
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return ["this looks like base64, not hex.", GIVE_HEX];
  const at = [...text].findIndex((character) => !/[0-9a-fA-F]/.test(character));
  return [`character ${at + 1} of the key is not a hex digit.`, GIVE_HEX];
}

function mistakeInHex(text: string): readonly [string, string] {
  const long = text.length === 2 * KEY_CHARACTERS ? " That is the length of a signature, or of a private key." : "";
  return [
    `the key has ${text.length} characters and must have ${KEY_CHARACTERS}.${long}`,
    `${GIVE_HEX} Was all of it copied?`,
  ];
}
