/**
 * Secrets that must be used again, sealed under a key that is not in the database: AES-256-GCM, with the place of the
 * secret as additional data, so that a sealed text that was moved to another row does not open.
 */
import { createCipheriv, createDecipheriv } from "node:crypto";
import { randomBytes } from "../random.ts";
import type { SecretsKey } from "./secrets-key.ts";

/** The object that a secret belongs to. */
export interface SecretPlace {
  readonly tenant: string;
  /** The kind of secret, such as `webhook`. */
  readonly kind: string;
  readonly object: string;
  /** Another secret of the same object has another version. */
  readonly version: number;
}

/** Why a sealed text does not open: its key is not there, it was changed, or it is of another place. */
export type SecretFault = "key_missing" | "damaged" | "of_another_place";

/** A sealed text that does not open. Its message names no secret and no key. */
export class SecretError extends Error {
  readonly fault: SecretFault;
  /** The name of the key that it asks for; null where it cannot be read. */
  readonly kid: string | null;

  constructor(fault: SecretFault, message: string, kid: string | null) {
    super(message);
    this.name = "SecretError";
    this.fault = fault;
    this.kid = kid;
  }
}

const FORMAT = "svc-secret";
const VERSION = 1;
const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

interface Header {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly cipher: typeof CIPHER;
  readonly kid: string;
  readonly tenant: string;
  readonly kind: string;
  readonly object: string;
  readonly object_version: number;
  /** Base64. */
  readonly iv: string;
}

/** Returns a secret as JSON text, `{"header", "sealed"}`, which says nothing without the key. */
export function sealSecret({ kid, key }: SecretsKey, place: SecretPlace, secret: Uint8Array): string {
  const iv = randomBytes(IV_BYTES);
  const header = headerOf(place, kid, Buffer.from(iv).toString("base64"));
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(JSON.stringify(header)));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  return JSON.stringify({ header, sealed: sealed.toString("base64") });
}

/**
 * Returns the secret of a sealed text. `keys`: those that may have sealed it. Throws SecretError for a text that is not
 * the one that was sealed for this place under one of them.
 */
export function openSecret(keys: readonly SecretsKey[], place: SecretPlace, text: string): Buffer {
  const { header, sealed } = parsed(text);
  const { kid, iv } = header;
  // The header is compared as a whole: one with another member, or another order, was not made here.
  if (JSON.stringify(header) !== JSON.stringify(headerOf(place, kid, iv)))
    throw new SecretError(
      "of_another_place",
      `The sealed ${place.kind} of ${place.object} was sealed for another place.`,
      kid,
    );
  const known = keys.find((one) => one.kid === kid);
  if (known === undefined)
    throw new SecretError(
      "key_missing",
      `The ${place.kind} of ${place.object} is sealed under the key ${kid}, which is not here.`,
      kid,
    );
  const bytes = Buffer.from(sealed, "base64");
  try {
    const decipher = createDecipheriv(CIPHER, known.key, Buffer.from(iv, "base64"), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(JSON.stringify(header)));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw damaged(place.kind, place.object, kid);
  }
}

/** Returns the name of the key under which a text is sealed. Throws SecretError for a text that is no sealed secret. */
export function kidOf(text: string): string {
  return parsed(text).header.kid;
}

function headerOf({ tenant, kind, object, version }: SecretPlace, kid: string, iv: string): Header {
  return { format: FORMAT, version: VERSION, cipher: CIPHER, kid, tenant, kind, object, object_version: version, iv };
}

function parsed(text: string): { readonly header: Header; readonly sealed: string } {
  try {
    const { header, sealed } = JSON.parse(text) as { header: Header; sealed: string };
    const isOurs = typeof header.kid === "string" && typeof header.iv === "string" && typeof sealed === "string";
    // A text that was only written otherwise was changed too.
    if (isOurs && JSON.stringify({ header, sealed }) === text && isBase64(sealed)) return { header, sealed };
  } catch {
    // No JSON, or no object: as any other change of the text.
  }
  throw damaged("secret", "an object", null);
}

function isBase64(text: string): boolean {
  return Buffer.from(text, "base64").toString("base64") === text;
}

function damaged(kind: string, object: string, kid: string | null): SecretError {
  return new SecretError("damaged", `The sealed ${kind} of ${object} is not the one that was sealed.`, kid);
}
