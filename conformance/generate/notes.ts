/** Level 3: `note.open`, each rule of c2sp.org/signed-note by a note that keeps it and one that breaks it. */
import type { JsonObject } from "@svc/core";
import type { Draft } from "./draft.ts";
import { Draws } from "./draws.ts";
import {
  COSIGNED,
  cosignedLine,
  keyId,
  keyOf,
  line,
  ML_DSA,
  type Named,
  ORDINARY,
  sign,
  signedLine,
  vkey,
} from "./note-parts.ts";

const LOG: Named = { name: "log.example/one", label: "log" };
const OTHER: Named = { name: "log.example/two", label: "other" };
const UNTRUSTED_SIGNER: Named = { name: "stranger.example", label: "stranger" };
const WITNESS: Named = { name: "witness.example", label: "witness" };
const TEXT = "log.example/one\n17\nq1bZ0d4Y0u0dD4x9n6m3v1JdZ8gR2s7o5t0p3a8c1fE=\n";

/** Returns all cases of the family. */
export function noteDrafts(): Draft[] {
  return [...opened(), ...syntax(), ...names(), ...lineBytes(), ...keys(), ...manyLines(), ...characters()];
}

function draft(slug: string, note: string, vkeys: readonly string[], expected: JsonObject): Draft {
  return { name: `note/${slug}`, request: { op: "note.open", note, vkeys: [...vkeys] }, expected };
}

const held = (text: string, verified: readonly string[], ignored = 0) => ({
  ok: true,
  text,
  verified: [...verified],
  ignored,
});
const refused = (code: string) => ({ ok: false, code });
const MALFORMED = refused("note_malformed");
const own = [vkey(LOG)];
const NOTE = `${TEXT}\n${signedLine(LOG, TEXT)}`;

/** Which lines count: those by the given keys, each of which must hold. */
function opened(): Draft[] {
  const both = `${NOTE}${signedLine(OTHER, TEXT)}`;
  const wrong = `${TEXT}\n${signedLine(LOG, `${TEXT}.`)}`;
  const witnessed = `${NOTE}${cosignedLine(WITNESS, TEXT, 1_772_357_412n)}`;
  const badly = `${NOTE}${cosignedLine(WITNESS, TEXT, 1_772_357_412n, 1_772_357_413n)}`;
  const { name } = LOG;
  const sharedName: Named = { name, label: "shared" };
  return [
    draft("one-line", NOTE, own, held(TEXT, [name])),
    draft("no-keys", NOTE, [], refused("key_not_pinned")),
    draft("key-of-another", NOTE, [vkey(OTHER)], refused("key_not_pinned")),
    draft("key-twice", NOTE, [...own, ...own], held(TEXT, [name])),
    draft("line-twice", `${NOTE}${signedLine(LOG, TEXT)}`, own, held(TEXT, [name])),
    draft("line-twice-one-wrong", `${NOTE}${signedLine(LOG, "x\n")}`, own, refused("signature_invalid")),
    draft("line-twice-first-wrong", `${wrong}${signedLine(LOG, TEXT)}`, own, refused("signature_invalid")),
    draft("two-lines-two-keys", both, [...own, vkey(OTHER)], held(TEXT, [name, OTHER.name])),
    draft("two-lines-keys-other-order", both, [vkey(OTHER), ...own], held(TEXT, [name, OTHER.name])),
    draft("two-lines-one-key", both, own, held(TEXT, [name], 1)),
    draft("two-lines-second-key", both, [vkey(OTHER)], held(TEXT, [OTHER.name], 1)),
    draft("wrong-signature", wrong, own, refused("signature_invalid")),
    draft("wrong-signature-of-a-stranger", `${NOTE}${signedLine(UNTRUSTED_SIGNER, "x\n")}`, own, held(TEXT, [name], 1)),
    draft(
      "wrong-signature-of-a-stranger-first",
      `${TEXT}\n${signedLine(UNTRUSTED_SIGNER, "x\n")}${signedLine(LOG, TEXT)}`,
      own,
      held(TEXT, [name], 1),
    ),
    draft("text-edited", NOTE.replace("\n17\n", "\n18\n"), own, refused("signature_invalid")),
    draft("text-longer", NOTE.replace("\n17\n", "\n17\n\n"), own, refused("signature_invalid")),
    draft("same-name-other-key", `${NOTE}${signedLine(sharedName, TEXT)}`, own, held(TEXT, [name], 1)),
    draft(
      "same-name-both-keys",
      `${NOTE}${signedLine(sharedName, TEXT)}`,
      [...own, vkey(sharedName)],
      held(TEXT, [name]),
    ),
    draft("same-name-only-other-key", NOTE, [vkey(sharedName)], refused("key_not_pinned")),
    draft("same-key-other-name", NOTE, [vkey({ name: "log.example/three", label: "log" })], refused("key_not_pinned")),
    draft("cosigned-key-not-given", witnessed, own, held(TEXT, [name], 1)),
    draft("cosigned-both-keys", witnessed, [...own, vkey(WITNESS, COSIGNED)], held(TEXT, [name, WITNESS.name])),
    draft("cosigned-witness-alone", witnessed, [vkey(WITNESS, COSIGNED)], held(TEXT, [WITNESS.name], 1)),
    draft("cosigned-badly", badly, [...own, vkey(WITNESS, COSIGNED)], refused("witness_signature_invalid")),
    draft("cosigned-badly-not-given", badly, own, held(TEXT, [name], 1)),
    draft(
      "cosigned-badly-behind-wrong",
      `${wrong}${badly.slice(NOTE.length)}`,
      [vkey(WITNESS, COSIGNED), ...own],
      refused("signature_invalid"),
    ),
    draft("witness-as-ordinary-key", witnessed, [vkey(WITNESS)], refused("key_not_pinned")),
    draft("log-as-witness-key", witnessed, [vkey(LOG, COSIGNED)], refused("key_not_pinned")),
    draft("any-text", `hello\n\n${signedLine(LOG, "hello\n")}`, own, held("hello\n", [name])),
    draft("text-with-empty-lines", `a\n\nb\n\n\n${signedLine(LOG, "a\n\nb\n\n")}`, own, held("a\n\nb\n\n", [name])),
    draft("text-like-a-line", `\u2014 a b\n\n${signedLine(LOG, "\u2014 a b\n")}`, own, held("\u2014 a b\n", [name])),
    draft("text-of-one-newline", `\n\n${signedLine(LOG, "\n")}`, own, held("\n", [name])),
    draft(
      "text-not-ascii",
      `\u00e9 \u{1f600}\n\n${signedLine(LOG, "\u00e9 \u{1f600}\n")}`,
      own,
      held("\u00e9 \u{1f600}\n", [name]),
    ),
    draft("text-normalized", `e\u0301\n\n${signedLine(LOG, "\u00e9\n")}`, own, refused("signature_invalid")),
  ];
}

/** The form of the note as a whole. */
function syntax(): Draft[] {
  const lines = signedLine(LOG, TEXT);
  const bad: Readonly<Record<string, string>> = {
    empty: "",
    newline: "\n",
    "two-newlines": "\n\n",
    "text-alone": TEXT,
    "text-and-newline": `${TEXT}\n`,
    "no-blank-line": `${TEXT}${lines}`,
    "no-last-newline": NOTE.slice(0, -1),
    "blank-line-at-the-end": `${NOTE}\n`,
    "blank-line-between": `${NOTE}\n${signedLine(OTHER, TEXT)}`.replace("\n\u2014", "\n\u2014"),
    "carriage-returns": NOTE.replaceAll("\n", "\r\n"),
    "space-behind-line": `${NOTE.slice(0, -1)} \n`,
    "space-before-line": `${TEXT}\n ${lines}`,
    hyphen: `${TEXT}\n-${lines.slice(1)}`,
    "en-dash": `${TEXT}\n\u2013${lines.slice(1)}`,
    "two-hyphens": `${TEXT}\n--${lines.slice(1)}`,
    "no-space-behind-dash": `${TEXT}\n\u2014${lines.slice(2)}`,
    "two-spaces-behind-dash": `${TEXT}\n\u2014 ${lines.slice(1)}`,
    "tab-behind-dash": `${TEXT}\n\u2014\t${lines.slice(2)}`,
    "two-spaces-before-base64": `${TEXT}\n${lines.replace("one ", "one  ")}`,
    "no-base64": `${TEXT}\n\u2014 ${LOG.name}\n`,
    "no-name": `${TEXT}\n\u2014 ${lines.split(" ")[2]}`,
    "third-field": `${NOTE.slice(0, -1)} x\n`,
    "a-line-of-text-among": `${NOTE}hello\n`,
    "bom-in-line": `${TEXT}\n\ufeff${lines}`,
    "dash-alone": `${TEXT}\n\u2014\n`,
  };
  // A blank line between two lines makes the first one part of the text, which nobody signed.
  const split = `${TEXT}\n${lines}\n${signedLine(OTHER, TEXT)}`;
  return [
    ...Object.entries(bad)
      .filter(([slug]) => slug !== "blank-line-between")
      .map(([slug, note]) => draft(`syntax-${slug}`, note, own, MALFORMED)),
    draft("syntax-blank-line-between", split, own, refused("key_not_pinned")),
    draft("syntax-blank-line-between-key-of-last", split, [vkey(OTHER)], refused("signature_invalid")),
    draft("syntax-before-keys", "", ["x"], refused("malformed")),
  ];
}

/** The names in lines: no white space of Unicode, no plus, no control character. */
function names(): Draft[] {
  const good = ["a", "A.b-c_d/e", "\u00e9", "\u{1f600}", "a\u200bb", "a\u00adb", "x".repeat(500), "\u2060", "a~!@"];
  const bad = [
    "a+b",
    "+",
    "a\u00a0b",
    "a\u2003b",
    "a\u3000b",
    "a\u0085b",
    "a\u2028b",
    "a\u1680b",
    "a\u202fb",
    "a\u205fb",
  ];
  return [
    ...good.map((name, at) => {
      const who = { name, label: "log" };
      return draft(`name-${at}`, `${TEXT}\n${signedLine(who, TEXT)}`, [vkey(who)], held(TEXT, [name]));
    }),
    ...bad.map((name, at) =>
      draft(`no-name-${at}`, `${NOTE}${signedLine({ name, label: "log" }, TEXT)}`, own, MALFORMED),
    ),
  ];
}

/** The bytes of lines: canonical base64 of a key id and at least one byte more. */
function lineBytes(): Draft[] {
  const id = keyId(LOG.name, ORDINARY, keyOf(LOG));
  const signature = sign(LOG, TEXT);
  const of = (base64: string) => `${TEXT}\n\u2014 ${LOG.name} ${base64}\n`;
  const whole = Buffer.concat([id, signature]).toString("base64");
  const bad: Readonly<Record<string, string>> = {
    "padding-missing": whole.replaceAll("=", ""),
    "padding-doubled": `${whole}=`,
    "url-alphabet": Buffer.from("fbffbffbffbf".repeat(12), "hex").toString("base64url"),
    "not-canonical": `${Buffer.concat([id, Buffer.of(0)])
      .toString("base64")
      .slice(0, 6)}B=`,
    "star-inside": `${whole.slice(0, 10)}*${whole.slice(11)}`,
    "id-alone": id.toString("base64"),
    "three-bytes": id.subarray(0, 3).toString("base64"),
  };
  return [
    ...Object.entries(bad).map(([slug, base64]) => draft(`bytes-${slug}`, of(base64), own, MALFORMED)),
    ...[1, 32, 63, 65, 72].map((length) =>
      draft(
        `bytes-signature-of-${length}`,
        `${TEXT}\n${line(LOG.name, id, Buffer.concat([signature, signature]).subarray(0, length))}`,
        own,
        refused("signature_invalid"),
      ),
    ),
    draft("bytes-stranger-of-one-byte", `${NOTE}${line("x", id, Buffer.of(0))}`, own, held(TEXT, [LOG.name], 1)),
    draft(
      "bytes-id-flipped",
      `${TEXT}\n${line(LOG.name, Buffer.from(id.map((byte) => byte ^ 1)), signature)}`,
      own,
      refused("key_not_pinned"),
    ),
  ];
}

/** Verification keys. The first invalid one is named, before the note is opened. */
function keys(): Draft[] {
  const good = vkey(LOG);
  const [name = "", id = "", base64 = ""] = [LOG.name, good.split("+")[1], good.split("+").slice(2).join("+")];
  const typed = (type: number, key: Uint8Array) => vkey(LOG, type, key);
  const bad: Readonly<Record<string, readonly [string, string]>> = {
    empty: ["", "malformed"],
    "name-alone": [name, "malformed"],
    "two-parts": [`${name}+${id}`, "malformed"],
    "name-empty": [`+${id}+${base64}`, "malformed"],
    "name-with-space": [`log one+${id}+${base64}`, "malformed"],
    "name-with-no-break-space": [`log\u00a0one+${id}+${base64}`, "malformed"],
    "id-uppercase": [`${name}+${/[a-f]/.test(id) ? id.toUpperCase() : "ABCDEF01"}+${base64}`, "malformed"],
    "id-short": [`${name}+${id.slice(1)}+${base64}`, "malformed"],
    "id-long": [`${name}+${id}0+${base64}`, "malformed"],
    "id-wrong": [`${name}+00000000+${base64}`, "kid_mismatch"],
    "name-wrong": [`log.example/two+${id}+${base64}`, "kid_mismatch"],
    "base64-cut": [`${name}+${id}+${base64.slice(0, -1)}`, "malformed"],
    "base64-newline": [`${name}+${id}+${base64}\n`, "malformed"],
    "base64-empty": [`${name}+${id}+`, "malformed"],
    "type-alone": [typed(ORDINARY, new Uint8Array()), "malformed"],
    "key-short": [typed(ORDINARY, new Uint8Array(31)), "malformed"],
    "key-long": [typed(ORDINARY, new Uint8Array(33)), "malformed"],
    "type-0": [typed(0, new Uint8Array(32)), "unsupported_object"],
    "type-2": [typed(2, new Uint8Array(32)), "unsupported_object"],
    "type-5": [typed(5, new Uint8Array(32)), "unsupported_object"],
    "type-ml-dsa": [typed(ML_DSA, new Draws("ml-dsa").bytes(1312)), "unsupported_object"],
    "type-255": [typed(255, new Uint8Array(32)), "unsupported_object"],
  };
  return [
    ...Object.entries(bad).flatMap(([slug, [key, code]]) => [
      draft(`key-${slug}`, NOTE, [key], refused(code)),
      draft(`key-${slug}-behind-a-good-one`, NOTE, [good, key], refused(code)),
    ]),
    draft("key-first-wrong-counts", NOTE, [`${name}+00000000+${base64}`, "x"], refused("kid_mismatch")),
    draft("key-of-no-point", NOTE, [typed(ORDINARY, Buffer.alloc(32, 0xff))], refused("key_not_pinned")),
  ];
}

function manyLines(): Draft[] {
  const others = (count: number) =>
    Array.from({ length: count }, (_, at) => line(`s${at}.example`, Buffer.from([0, 0, 0, at]), Buffer.of(at))).join(
      "",
    );
  return [
    draft("lines-64", `${NOTE}${others(63)}`, own, held(TEXT, [LOG.name], 63)),
    draft("lines-65", `${NOTE}${others(64)}`, own, MALFORMED),
    draft("lines-64-own-last", `${TEXT}\n${others(63)}${signedLine(LOG, TEXT)}`, own, held(TEXT, [LOG.name], 63)),
  ];
}

/** Control characters anywhere but the newline, which no note may hold. */
function characters(): Draft[] {
  const codes = Array.from({ length: 32 }, (_, code) => code).filter((code) => code !== 0x0a);
  const note = (text: string) => `${text}\n${signedLine(LOG, text)}`;
  return [
    ...codes.map((code) => draft(`control-${code}`, note(`a${String.fromCharCode(code)}b\n`), own, MALFORMED)),
    ...[0x7f, 0x85, 0x9f, 0x2028, 0xfeff, 0xffff].map((code) => {
      const text = `a${String.fromCharCode(code)}b\n`;
      return draft(`character-${code}`, note(text), own, held(text, [LOG.name]));
    }),
  ];
}
