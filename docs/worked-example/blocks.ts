/**
 * The labelled blocks of the worked example: fenced, with a label behind the kind, so that a program can read each
 * value out of the page. Lines are broken to fit the page; the page itself says how to rejoin them (docs/protocol.md,
 * annex A).
 */
import { type Json, type JsonObject, PROTOCOL, referenceKernel } from "@svc/core";

const kernel = referenceKernel;
/** A signature in hex fits on a line. */
const MAX_LINE_CHARACTERS = 130;

/** The members of a seal that differ between objects. */
interface Seal {
  readonly protocol: string;
  readonly kid: string;
  readonly signature: string;
}

/** Returns given values as readable JSON; nothing depends on its layout. */
export function given(label: string, value: object): string {
  return fenced("json", `given.${label}`, JSON.stringify(value, null, 2));
}

/** Returns a value by its J. */
export function canonical(label: string, value: object): string {
  return fenced("json", label, wrapped(canonicalText(value)));
}

/** Returns bytes as hex, and values without another text: hashes, keys, signatures, identifiers. */
export function plain(label: string, text: string): string {
  return fenced("text", label, wrapped(text));
}

/** Returns a text whose every line ends in a newline. */
export function lines(label: string, text: string): string {
  if (!text.endsWith("\n")) throw new Error(`${label}: the last line does not end in a newline`);
  return fenced("note", label, text.slice(0, -1));
}

/** Returns the input of D(tag, body), and its hash. Fails if the hash is not the expected one. `word`: of the tag. */
export function hashed(
  label: string,
  name: string,
  tag: string,
  body: object,
  expected: string,
  word: string = PROTOCOL,
): string {
  const text = preimage(tag, body, word);
  const hash = hex(kernel.sha256(bytes(text)));
  if (hash !== expected) throw new Error(`${label}.${name}: core says ${expected}, and the preimage gives ${hash}`);
  return `${tagged(`${label}.${name}.preimage`, text)}\n\n${plain(`${label}.${name}`, hash)}`;
}

/** Returns the input of a tree's leaf or node hash, as hex, and its hash. Fails if the hash is not the expected one. */
export function merkle(label: string, preimageHex: string, expected = hashOf(preimageHex)): string {
  const hash = hashOf(preimageHex);
  if (hash !== expected) throw new Error(`${label}: core says ${expected}, and the preimage gives ${hash}`);
  return `${plain(`${label}.preimage`, preimageHex)}\n\n${plain(label, hash)}`;
}

/** Returns the SHA-256 of bytes in hex, as hex. */
export function hashOf(preimageHex: string): string {
  return hex(kernel.sha256(new Uint8Array(Buffer.from(preimageHex, "hex"))));
}

/** Returns the signed text of a seal, and the signature. */
export function sealed(label: string, tag: string, body: object, seal: Seal): string {
  const { protocol, kid, signature } = seal;
  const text = preimage(tag, { ...body, protocol, alg: "Ed25519", kid }, protocol);
  return `${tagged(`${label}.seal.preimage`, text)}\n\n${plain(`${label}.seal.signature`, signature)}`;
}

/** Returns a tag line and J of a body, as they are hashed or signed together. */
export function preimage(tag: string, body: object, word: string = PROTOCOL): string {
  return `${word}/${tag}\n${canonicalText(body)}`;
}

/** Returns J of a value, as text. */
export function canonicalText(value: object): string {
  return new TextDecoder().decode(kernel.canonicalize(value as JsonObject as Json));
}

/** Returns lowercase hex. */
export function hex(of: Uint8Array): string {
  return Buffer.from(of).toString("hex");
}

/** Returns the UTF-8 bytes of a text. */
export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function tagged(label: string, text: string): string {
  const [tagLine = "", body = ""] = text.split("\n");
  return fenced("tagged", label, `${tagLine}\n${wrapped(body)}`);
}

function fenced(kind: string, label: string, text: string): string {
  return `\`\`\`${kind} ${label}\n${text}\n\`\`\``;
}

/**
 * Returns a text broken into lines, behind a comma if one is near, and never beside a space, which an editor might
 * remove.
 */
function wrapped(text: string): string {
  const rows: string[] = [];
  let rest = text;
  while (rest.length > MAX_LINE_CHARACTERS) {
    let end = rest.lastIndexOf(',"', MAX_LINE_CHARACTERS) + 1;
    if (end === 0) end = MAX_LINE_CHARACTERS;
    while (rest[end] === " " || rest[end - 1] === " ") end--;
    rows.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...rows, rest].join("\n");
}
