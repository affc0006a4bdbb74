/** Parts of signed notes, written by hand from c2sp.org/signed-note and c2sp.org/tlog-cosignature on node's crypto. */
import { createHash } from "node:crypto";
import { testSigner } from "@svc/testkit/evidence/signer";

/** An ordinary signature, a cosignature, and one by ML-DSA-44. */
export const [ORDINARY, COSIGNED, ML_DSA] = [0x01, 0x04, 0x06];

/** A signer's name in notes and its key. */
export interface Named {
  readonly name: string;
  readonly label: string;
}

/** Returns the raw public key of a label. */
export function keyOf({ label }: Named): Buffer {
  return Buffer.from(testSigner(`kit note ${label}`).publicKeyHex, "hex");
}

/** Returns the key id: 4 bytes of SHA-256 over name, newline, type and key. */
export function keyId(name: string, type: number, key: Uint8Array): Buffer {
  return createHash("sha256").update(`${name}\n`).update(Buffer.of(type)).update(key).digest().subarray(0, 4);
}

/** Returns a verification key. */
export function vkey(who: Named, type = ORDINARY, key: Uint8Array = keyOf(who)): string {
  const typed = Buffer.concat([Buffer.of(type), key]);
  return `${who.name}+${keyId(who.name, type, key).toString("hex")}+${typed.toString("base64")}`;
}

/** Returns a signature line with its newline, from the bytes behind the key id. */
export function line(name: string, id: Uint8Array, bytes: Uint8Array): string {
  return `\u2014 ${name} ${Buffer.concat([id, bytes]).toString("base64")}\n`;
}

/** Returns the line of an ordinary signature over a text. */
export function signedLine(who: Named, text: string): string {
  return line(who.name, keyId(who.name, ORDINARY, keyOf(who)), sign(who, text));
}

/** Returns the line of a cosignature of a text at a time; `stated` is the time in the line. */
export function cosignedLine(who: Named, text: string, time: bigint, stated = time): string {
  const signature = sign(who, `cosignature/v1\ntime ${time}\n${text}`);
  return line(who.name, keyId(who.name, COSIGNED, keyOf(who)), Buffer.concat([bigEndian(stated), signature]));
}

/** Returns a signature over a text. */
export function sign({ label }: Named, text: string): Buffer {
  return Buffer.from(testSigner(`kit note ${label}`).sign(Buffer.from(text)) as Uint8Array);
}

/** Returns 8 bytes. */
export function bigEndian(number: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(number);
  return bytes;
}
