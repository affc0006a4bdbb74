/**
 * `keys.sealed` of a backup: the private files of a data folder under a passphrase, by scrypt and AES-256-GCM. It is
 * made only on explicit request. Its parameters are authenticated with it, and bounded when it is opened.
 */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  DataFolderError,
  NEXT_PEPPER,
  NEXT_SECRETS_KEY,
  NEXT_SIGNING_KEY,
  NEXT_WITNESS_KEY,
  PEPPER,
  SECRETS_KEY,
  SIGNING_KEY,
  WITNESS_KEY,
} from "../data-folder/data-folder.ts";
import { ENDORSEMENTS } from "../signing/endorsements-file.ts";
import { WITNESS_KEYS } from "../witness-keys/keys-file.ts";

/**
 * The files that a database needs beside it; those of a sealing key exist only if it is kept in files, and some only
 * after a rotation.
 */
export const KEY_FILES = [
  SIGNING_KEY,
  NEXT_SIGNING_KEY,
  WITNESS_KEY,
  NEXT_WITNESS_KEY,
  PEPPER,
  NEXT_PEPPER,
  SECRETS_KEY,
  NEXT_SECRETS_KEY,
  ENDORSEMENTS,
  WITNESS_KEYS,
] as const;

const FORMAT = "svc-server-keys";
/** These parameters take 128 MiB of memory and about a third of a second for each guess. */
const SCRYPT = { N: 131_072, r: 8, p: 1 } as const;
const MAX_SCRYPT = { N: 1_048_576, r: 16, p: 4 } as const;
const BYTES_OF_SALT = 16;
const BYTES_OF_IV = 12;
const BYTES_OF_KEY = 32;
/** The fewest characters of a passphrase. */
export const LEAST_PASSPHRASE_CHARACTERS = 12;

interface Header {
  readonly format: typeof FORMAT;
  readonly version: 1;
  readonly kdf: "scrypt";
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly cipher: "aes-256-gcm";
  /** Base64, as the next one. */
  readonly salt: string;
  readonly iv: string;
}

/** File contents by name. */
export type KeyFiles = ReadonlyMap<string, Uint8Array>;

/** Returns the private files of a data folder. */
export function readKeyFiles(dataFolder: string): KeyFiles {
  const there = KEY_FILES.filter((name) => existsSync(join(dataFolder, name)));
  return new Map(there.map((name) => [name, readFileSync(join(dataFolder, name))]));
}

/** Returns the files as one JSON text that says nothing without the passphrase. */
export function sealKeys(files: KeyFiles, passphrase: string): string {
  const header: Header = {
    format: FORMAT,
    version: 1,
    kdf: "scrypt",
    ...SCRYPT,
    cipher: "aes-256-gcm",
    salt: randomBytes(BYTES_OF_SALT).toString("base64"),
    iv: randomBytes(BYTES_OF_IV).toString("base64"),
  };
  const cipher = createCipheriv(header.cipher, keyOf(header, passphrase), Buffer.from(header.iv, "base64"));
  cipher.setAAD(Buffer.from(JSON.stringify(header)));
  const plain = Object.fromEntries([...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(plain)), cipher.final(), cipher.getAuthTag()]);
  return `${JSON.stringify({ header, sealed: sealed.toString("base64") })}\n`;
}

/**
 * Returns the files of a sealed text. Throws DataFolderError for a wrong passphrase, and for a changed byte: the two
 * look the same.
 */
export function openKeys(text: string, passphrase: string): KeyFiles {
  const refused = new DataFolderError(
    "keys.sealed cannot be opened: the passphrase is not the one that it was sealed with, or the file is damaged.",
  );
  try {
    const { header, sealed } = JSON.parse(text) as { header: Header; sealed: string };
    const { format, version, kdf, cipher: algorithm, N, r, p } = header;
    if (format !== FORMAT || version !== 1 || kdf !== "scrypt" || algorithm !== "aes-256-gcm") throw refused;
    if (!(N <= MAX_SCRYPT.N && r <= MAX_SCRYPT.r && p <= MAX_SCRYPT.p)) throw refused;
    const bytes = Buffer.from(sealed, "base64");
    const options = { authTagLength: 16 };
    const decipher = createDecipheriv(algorithm, keyOf(header, passphrase), Buffer.from(header.iv, "base64"), options);
    decipher.setAAD(Buffer.from(JSON.stringify(header)));
    decipher.setAuthTag(bytes.subarray(-16));
    const plain = Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]);
    const files = JSON.parse(plain.toString("utf8")) as Record<string, string>;
    const known = Object.entries(files).filter(([name]) => (KEY_FILES as readonly string[]).includes(name));
    return new Map(known.map(([name, base64]) => [name, Buffer.from(base64, "base64")]));
  } catch {
    throw refused;
  }
}

function keyOf({ salt, N, r, p }: Header, passphrase: string): Buffer {
  const maxmem = 256 * N * r;
  return scryptSync(passphrase.normalize("NFC"), Buffer.from(salt, "base64"), BYTES_OF_KEY, { N, r, p, maxmem });
}
