/** Level 3: `cosignature.verify` by c2sp.org/tlog-cosignature. */
import type { JsonObject } from "@svc/core";
import type { Draft } from "./draft.ts";
import {
  bigEndian,
  COSIGNED,
  cosignedLine,
  keyId,
  keyOf,
  line,
  ML_DSA,
  type Named,
  sign,
  signedLine,
  vkey,
} from "./note-parts.ts";

const WITNESS: Named = { name: "witness.example/w1", label: "witness" };
const OTHER: Named = { name: "witness.example/w2", label: "other witness" };
const LOG: Named = { name: "log.example", label: "log" };
const TEXT = "log.example\n5\nq1bZ0d4Y0u0dD4x9n6m3v1JdZ8gR2s7o5t0p3a8c1fE=\n";
const MAX = 2n ** 53n - 1n;
const NOW = 1_772_357_412n;

/** Returns all cases of the family. */
export function cosignatureDrafts(): Draft[] {
  const key = vkey(WITNESS, COSIGNED);
  const draft = (slug: string, lines: string, expected: JsonObject, by = key, text = TEXT): Draft => ({
    name: `cosignature/${slug}`,
    request: { op: "cosignature.verify", note: `${text}\n${lines}`, vkey: by },
    expected,
  });
  const at = (time: bigint) => ({ ok: true, time: Number(time) });
  const refused = (code: string) => ({ ok: false, code });
  const invalid = refused("witness_signature_invalid");
  const id = keyId(WITNESS.name, COSIGNED, keyOf(WITNESS));
  const good = cosignedLine(WITNESS, TEXT, NOW);
  const times = [1n, 2n, NOW, 2n ** 31n - 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 32n + 1n, MAX - 1n, MAX];
  const beyond = [0n, MAX + 1n, MAX + 2n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n];
  const signature = sign(WITNESS, `cosignature/v1\ntime ${NOW}\n${TEXT}`);
  const withHeader = (header: string) =>
    line(WITNESS.name, id, Buffer.concat([bigEndian(NOW), sign(WITNESS, `${header}${TEXT}`)]));
  return [
    ...times.map((time) => draft(`time-${time}`, cosignedLine(WITNESS, TEXT, time), at(time))),
    ...beyond.map((time) => draft(`time-beyond-${time}`, cosignedLine(WITNESS, TEXT, time), invalid)),
    draft("time-edited", cosignedLine(WITNESS, TEXT, NOW, NOW + 1n), invalid),
    draft("time-earlier", cosignedLine(WITNESS, TEXT, NOW, NOW - 1n), invalid),
    draft("several-later-first", cosignedLine(WITNESS, TEXT, NOW + 9n) + good, at(NOW)),
    draft("several-earlier-first", good + cosignedLine(WITNESS, TEXT, NOW + 9n), at(NOW)),
    draft("several-one-wrong", good + cosignedLine(WITNESS, TEXT, NOW, NOW + 1n), invalid),
    draft("same-twice", good + good, at(NOW)),
    draft("beside-the-log", signedLine(LOG, TEXT) + good, at(NOW)),
    draft("beside-a-wrong-log", signedLine(LOG, "x\n") + good, at(NOW)),
    draft("beside-another-witness", cosignedLine(OTHER, TEXT, 7n) + good, at(NOW)),
    draft("beside-another-wrong-witness", cosignedLine(OTHER, "x\n", 7n) + good, at(NOW)),
    draft("of-another-witness", cosignedLine(OTHER, TEXT, 7n), refused("key_not_pinned")),
    draft("of-nobody", signedLine(LOG, TEXT), refused("key_not_pinned")),
    draft("of-the-witness-as-ordinary", signedLine(WITNESS, TEXT), refused("key_not_pinned")),
    draft("other-text", cosignedLine(WITNESS, `${TEXT}x\n`, NOW), invalid),
    draft("plain-signature", line(WITNESS.name, id, sign(WITNESS, TEXT)), invalid),
    draft(
      "plain-signature-with-time",
      line(WITNESS.name, id, Buffer.concat([bigEndian(NOW), sign(WITNESS, TEXT)])),
      invalid,
    ),
    draft("signature-before-time", line(WITNESS.name, id, Buffer.concat([signature, bigEndian(NOW)])), invalid),
    draft("71-bytes", line(WITNESS.name, id, Buffer.concat([bigEndian(NOW), signature]).subarray(0, 71)), invalid),
    draft("73-bytes", line(WITNESS.name, id, Buffer.concat([bigEndian(NOW), signature, Buffer.of(0)])), invalid),
    draft("time-little-endian", line(WITNESS.name, id, Buffer.concat([bigEndian(NOW).reverse(), signature])), invalid),
    draft("header-v2", withHeader(`cosignature/v2\ntime ${NOW}\n`), invalid),
    draft("header-time-padded", withHeader(`cosignature/v1\ntime 0${NOW}\n`), invalid),
    draft("header-without-time", withHeader("cosignature/v1\n"), invalid),
    draft("header-carriage-return", withHeader(`cosignature/v1\r\ntime ${NOW}\r\n`), invalid),
    draft("text-of-no-checkpoint", cosignedLine(WITNESS, "hello\n", NOW), at(NOW), key, "hello\n"),
    draft("key-ordinary", good, refused("unsupported_object"), vkey(WITNESS)),
    draft("key-ml-dsa", good, refused("unsupported_object"), vkey(WITNESS, ML_DSA, new Uint8Array(1312))),
    draft("key-type-5", good, refused("unsupported_object"), vkey(WITNESS, 5)),
    draft("key-none", good, refused("malformed"), "x"),
    draft("key-short", good, refused("malformed"), vkey(WITNESS, COSIGNED, new Uint8Array(31))),
    draft("key-other-name", good, refused("kid_mismatch"), key.replace("w1", "w2")),
    draft("key-before-note", "", refused("malformed"), "x"),
    draft("note-malformed", "", refused("note_malformed")),
    draft("note-without-newline", good.slice(0, -1), refused("note_malformed")),
    draft("note-of-65-lines", good.repeat(65), refused("note_malformed")),
    draft("note-of-64-lines", good.repeat(64), at(NOW)),
  ];
}
