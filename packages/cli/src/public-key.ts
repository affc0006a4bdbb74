/**
 * The value of `--public-key-hex`. People give other things than a raw public key in hex; each such mistake is
 * recognised and has its own line. A value is never repeated in a message: it may be a private key.
 */
import { existsSync } from "node:fs";
import type { PublicKeyHex } from "@svc/core";
import { EXIT, Refusal } from "./exit.ts";

/** 32 bytes. */
const KEY_CHARACTERS = 64;
const GIVE_HEX = `Give the raw Ed25519 public key as ${KEY_CHARACTERS} lowercase hex characters.`;

/**
 * Parses a raw Ed25519 public key, also in groups. Refuses everything else with a usage error that says what it looks
 * like.
 */
export function parsePublicKeyHex(given: string): PublicKeyHex {
  // Fingerprints are shown in groups, and keys are read out so.
  const text = /^[0-9a-f\s]+$/i.test(given) ? given.replaceAll(/\s/g, "") : given;
  if (text.length === KEY_CHARACTERS && /^[0-9a-f]+$/.test(text)) return text as PublicKeyHex;
  const [what, action] = mistake(text);
  throw new Refusal(EXIT.usage, `--public-key-hex: ${what}`, action);
}

function mistake(text: string): readonly [string, string] {
  if (text === "") return ["the key is empty.", `${GIVE_HEX} Is a variable unset?`];
  if (text.includes("PRIVATE KEY"))
    return ["this is a private key in PEM.", `Keep it secret; it is not needed here. ${GIVE_HEX}`];
  if (text.includes("-----BEGIN")) return ["this is a key in PEM, not in hex.", GIVE_HEX];
  if (text.startsWith("ssh-")) return ["this is an SSH key, not hex.", GIVE_HEX];
  if (/^ed25519-[0-9a-f]*$/i.test(text))
    return ["this is a key's fingerprint, not the key.", `${GIVE_HEX} A fingerprint is only for comparing.`];
  if (/^0x/i.test(text)) return ["the key starts with 0x.", "Leave the 0x out."];
  if (/^[0-9a-f]+$/i.test(text)) return mistakeInHex(text);
  if (existsSync(text)) return ["this is a file, not a key.", `${GIVE_HEX} The key stands inside the file.`];
  if (/\.(pem|pub|key|hex|txt|json|der)$/i.test(text))
    return ["this looks like the name of a file, not a key.", `${GIVE_HEX} The key stands inside the file.`];
  if (/^[^+\s]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*$/.test(text))
    return ["this is a verifier key of a signed note (name+id+key), not hex.", GIVE_HEX];
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return ["this looks like base64, not hex.", GIVE_HEX];
  const at = [...text].findIndex((character) => !/[0-9a-fA-F]/.test(character));
  return [`character ${at + 1} of the key is not a hex digit.`, GIVE_HEX];
}

function mistakeInHex(text: string): readonly [string, string] {
  if (text.length === KEY_CHARACTERS) return ["the key has uppercase hex digits.", "Write the same key in lowercase."];
  const long = text.length === 2 * KEY_CHARACTERS ? " That is the length of a signature, or of a private key." : "";
  return [
    `the key has ${text.length} characters and must have ${KEY_CHARACTERS}.${long}`,
    `${GIVE_HEX} Was all of it copied?`,
  ];
}
