/**
 * A public key in every form in which people exchange one: hex, PEM, C2SP verifier keys, identifier and fingerprint.
 * None of them says whose key it is.
 */
import { createPublicKey } from "node:crypto";
import {
  COSIGNATURE_LINE,
  encodeBase64,
  encodeHex,
  formats,
  hexToBytes,
  type Kernel,
  type Kid,
  kidOf,
  noteKeyId,
  type PublicKeyHex,
  verificationKey,
} from "@svc/core";
import { EXIT, Refusal } from "../exit.ts";

/** The bytes before the 32 raw bytes in the SPKI form of an Ed25519 key (RFC 8410). */
const SPKI_PREFIX = "302a300506032b6570032100";
/** Digits of a group, groups of a line: a person can read them out and follow them. */
const GROUP = 4;
const GROUPS_A_LINE = 8;

/** The forms; the verifier keys only with a name. */
export type KeyForms = {
  readonly kid: Kid;
  /** SHA-256 of the raw key, 64 lowercase hex characters; the kid is its beginning. */
  readonly fingerprint: string;
  readonly public_key_hex: PublicKeyHex;
  readonly public_key_pem: string;
  /** For notes that the key signs as their origin (type 0x01). */
  readonly vkey?: string;
  /** For cosignatures that the key makes as a witness (type 0x04). */
  readonly witness_vkey?: string;
};

/** Returns all forms of a key. Refuses a name that is no C2SP key name. */
export function keyForms(kernel: Kernel, publicKeyHex: PublicKeyHex, name?: string): KeyForms {
  const forms = {
    kid: kidOf(kernel, publicKeyHex),
    fingerprint: fingerprintOf(kernel, publicKeyHex),
    public_key_hex: publicKeyHex,
    public_key_pem: publicKeyPem(publicKeyHex),
  };
  if (name === undefined) return forms;
  if (formats["key-name"]?.(name) !== true)
    throw new Refusal(
      EXIT.usage,
      "--name: this is no name of a key as signed notes have it.",
      "Give one without spaces and without +, usually a URL without its scheme, as in evidence.example/log.",
    );
  return {
    ...forms,
    vkey: verificationKey(kernel, name, publicKeyHex),
    witness_vkey: witnessKey(kernel, name, publicKeyHex),
  };
}

/** Returns SHA-256 of a raw public key, 64 lowercase hex characters. */
export function fingerprintOf(kernel: Kernel, publicKeyHex: PublicKeyHex): string {
  return encodeHex(kernel.sha256(hexToBytes(publicKeyHex)));
}

/** Returns a fingerprint in groups to compare, as two lines. */
export function groupsOf(fingerprint: string): string[] {
  const groups = fingerprint.match(new RegExp(`.{1,${GROUP}}`, "g")) ?? [];
  return [groups.slice(0, GROUPS_A_LINE).join(" "), groups.slice(GROUPS_A_LINE).join(" ")];
}

function publicKeyPem(publicKeyHex: PublicKeyHex): string {
  const key = Buffer.from(`${SPKI_PREFIX}${publicKeyHex}`, "hex");
  return createPublicKey({ key, format: "der", type: "spki" }).export({ format: "pem", type: "spki" }) as string;
}

function witnessKey(kernel: Kernel, name: string, publicKeyHex: PublicKeyHex): string {
  const typed = new Uint8Array([COSIGNATURE_LINE, ...hexToBytes(publicKeyHex)]);
  return `${name}+${noteKeyId(kernel, name, COSIGNATURE_LINE, publicKeyHex)}+${encodeBase64(typed)}`;
}
