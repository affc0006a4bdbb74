/** Level 3: `tlog-policy.parse`: each fault of c2sp.org/tlog-policy, at each line where it can stand. */
import type { Draft } from "./draft.ts";
import { COSIGNED, ML_DSA, type Named, ORDINARY, vkey } from "./note-parts.ts";

const who = (name: string): Named => ({ name, label: name });
const log = (name: string) => `log ${vkey(who(name), ORDINARY)}`;
const witness = (name: string) => `witness ${name} ${vkey(who(`${name}.example`), COSIGNED)}`;
const END = "quorum none";
const LOG = log("log.example");
const [A, B, C] = ["a", "b", "c"].map(witness) as [string, string, string];

/** By slug: the lines of a policy that holds. */
const GOOD: Readonly<Record<string, readonly string[]>> = {
  none: [END],
  "log-only": [LOG, END],
  "log-with-url": [`${LOG} https://log.example/`, END],
  "two-logs": [LOG, log("log2.example"), END],
  "log-ml-dsa": [`log ${vkey(who("l"), ML_DSA, Buffer.alloc(1312, 7))}`, END],
  witness: [A, "quorum a"],
  "witness-unused": [A, END],
  "witness-with-url": [`${A} https://a.example`, "quorum a"],
  "witness-ml-dsa": [`witness w ${vkey(who("w"), ML_DSA, Buffer.alloc(1312, 7))}`, "quorum w"],
  "group-any": [A, B, "group g any a b", "quorum g"],
  "group-all": [A, B, "group g all a b", "quorum g"],
  "group-2-of-3": [A, B, C, "group g 2 a b c", "quorum g"],
  "group-1-of-1": [A, "group g 1 a", "quorum g"],
  "group-of-groups": [A, B, C, "group g any a b", "group h all g c", "quorum h"],
  "group-unused": [A, B, "group g any a b", END],
  "quorum-in-the-middle": [A, "quorum a", B],
  "quorum-first": [END, LOG, A],
  comments: ["# a policy", "", "  # indented", LOG, "\t", END, "#"],
  "comment-like-a-fault": ["#quorum nobody", "# log x", END],
  tabs: [LOG.replace(" ", "\t"), "quorum\tnone"],
  "spaces-around": [`  ${LOG}  `, " quorum   none "],
  "names-of-keywords": [A.replace(" a ", " log "), "group quorum any log", "quorum quorum"],
  "names-not-ascii": [A.replace(" a ", " \u00e9 "), "quorum \u00e9"],
  "names-not-normalized": [
    A.replace(" a ", " \u00e9 "),
    B.replace(" b ", " e\u0301 "),
    "group g all \u00e9 e\u0301",
    "quorum g",
  ],
  "name-with-no-break-space": [A.replace(" a ", " a\u00a0b "), "quorum a\u00a0b"],
  "name-none-as-prefix": [A.replace(" a ", " nonesuch "), "quorum nonesuch"],
  "name-case": [A, B.replace(" b ", " A "), "group g all a A", "quorum g"],
  "name-number": [A.replace(" a ", " 1 "), "group g 1 1", "quorum g"],
  "same-key-as-log-and-witness": [`log ${vkey(who("x"))}`, `witness x ${vkey(who("x"), COSIGNED)}`, "quorum x"],
  "url-of-any-form": [`${LOG} not-a-url`, END],
  "key-of-no-point": [`log ${vkey(who("l"), ORDINARY, Buffer.alloc(32, 0xff))}`, END],
};

/** By slug: the lines of a text that is no policy, and the number of the line of its first fault. */
const BAD: Readonly<Record<string, readonly [number, ...string[]]>> = {
  "quorum-missing": [2, LOG],
  "quorum-missing-of-nothing": [1],
  "quorum-missing-comment": [3, "# quorum none", LOG],
  "quorum-twice": [3, LOG, END, END],
  "quorum-twice-other": [3, A, "quorum a", END],
  "quorum-undefined": [2, A, "quorum b"],
  "quorum-defined-later": [1, "quorum a", A],
  "quorum-no-name": [1, "quorum"],
  "quorum-two-names": [2, A, "quorum a a"],
  "quorum-log": [2, LOG, "quorum log.example"],
  "quorum-none-capital": [1, "quorum None"],
  "quorum-case": [2, A, "quorum A"],
  "keyword-unknown": [1, "logs x", END],
  "keyword-capital": [1, LOG.replace("log", "Log"), END],
  "keyword-joined": [1, "quorumnone"],
  "keyword-bom": [1, `\ufeff${END}`],
  "keyword-no-break-space": [1, "quorum\u00a0none"],
  "log-no-key": [1, "log", END],
  "log-three-fields": [1, `${LOG} https://a b`, END],
  "log-twice": [2, LOG, LOG, END],
  "log-same-key-other-name": [2, LOG, `log ${vkey({ name: "other", label: "log.example" })}`, END],
  "log-key-of-witness": [1, `log ${vkey(who("l"), COSIGNED)}`, END],
  "log-key-none": [1, "log log.example", END],
  "log-key-id-wrong": [1, LOG.replace(/\+[0-9a-f]{8}\+/, "+00000000+"), END],
  "log-key-cut": [1, LOG.slice(0, -4), END],
  "log-key-short": [1, `log ${vkey(who("l"), ORDINARY, Buffer.alloc(31))}`, END],
  "log-ml-dsa-short": [1, `log ${vkey(who("l"), ML_DSA, Buffer.alloc(1311))}`, END],
  "witness-no-name": [1, "witness", END],
  "witness-no-key": [1, "witness a", END],
  "witness-four-fields": [1, `${A} https://a b`, END],
  "witness-key-of-log": [1, `witness a ${vkey(who("a"))}`, "quorum a"],
  "witness-name-twice": [2, A, B.replace(" b ", " a "), "quorum a"],
  "witness-key-twice": [2, A, A.replace(" a ", " b "), "quorum a"],
  "witness-key-twice-other-name": [2, A, `witness b ${vkey({ name: "other", label: "a.example" }, COSIGNED)}`, END],
  "witness-named-none": [1, A.replace(" a ", " none "), END],
  "witness-key-id-wrong": [2, LOG, A.replace(/\+[0-9a-f]{8}\+/, "+00000000+"), END],
  "group-no-name": [2, A, "group", END],
  "group-no-threshold": [2, A, "group g", END],
  "group-no-members": [2, A, "group g any", END],
  "group-member-undefined": [2, A, "group g any a b", END],
  "group-member-defined-later": [1, "group g any a", A, END],
  "group-member-of-itself": [2, A, "group g any g", END],
  "group-member-twice": [2, A, "group g any a a", END],
  "group-member-of-two": [3, A, "group g any a", "group h any a", "quorum g"],
  "group-threshold-0": [2, A, "group g 0 a", "quorum g"],
  "group-threshold-above": [3, A, B, "group g 3 a b", "quorum g"],
  "group-threshold-padded": [2, A, "group g 01 a", "quorum g"],
  "group-threshold-plus": [2, A, "group g +1 a", "quorum g"],
  "group-threshold-minus": [2, A, "group g -1 a", "quorum g"],
  "group-threshold-fraction": [2, A, "group g 1.0 a", "quorum g"],
  "group-threshold-exponent": [2, A, "group g 1e0 a", "quorum g"],
  "group-threshold-arabic": [2, A, "group g \u0661 a", "quorum g"],
  "group-threshold-fullwidth": [2, A, "group g \uff11 a", "quorum g"],
  "group-threshold-huge": [2, A, "group g 18446744073709551617 a", "quorum g"],
  "group-threshold-word": [2, A, "group g ALL a", "quorum g"],
  "group-threshold-majority": [2, A, "group g majority a", "quorum g"],
  "group-named-none": [2, A, "group none any a", END],
  "group-named-as-witness": [3, A, B, "group a any b", END],
  "group-named-twice": [4, A, B, "group g any a", "group g any b", END],
  "group-log-as-member": [2, LOG, "group g any log.example", END],
  "control-null": [1, "# \u0000", END],
  "control-escape": [2, LOG, "\u001b[31m", END],
  "control-carriage-return": [1, `${END}\r`],
  "control-vertical-tab": [1, "quorum\u000bnone"],
  "control-form-feed": [1, "\f", END],
  "control-delete": [2, LOG, "# \u007f", END],
  "first-of-two-faults": [2, LOG, "x", "y"],
  "first-of-two-faults-missing-later": [1, "log x"],
};

/** By slug: the same, where the fault is a key of an unknown type. */
const UNKNOWN: Readonly<Record<string, readonly [number, ...string[]]>> = {
  "log-type-0": [1, `log ${vkey(who("l"), 0)}`, END],
  "log-type-2": [1, `log ${vkey(who("l"), 2, Buffer.alloc(91))}`, END],
  "log-type-255": [2, A, `log ${vkey(who("l"), 255)}`, END],
  "witness-type-3": [1, `witness w ${vkey(who("w"), 3)}`, "quorum w"],
  "witness-type-5": [3, LOG, A, `witness w ${vkey(who("w"), 5)}`, "quorum w"],
  "before-a-wrong-line": [1, `log ${vkey(who("l"), 2)}`, "x"],
};

/** Returns all cases of the family. */
export function tlogPolicyDrafts(): Draft[] {
  const fault = (line: number, code = "malformed") => ({ ok: false, line, code });
  const draft = (slug: string, text: string, expected: Draft["expected"] = { ok: true }): Draft => ({
    name: `tlog-policy/${slug}`,
    request: { op: "tlog-policy.parse", text },
    expected,
  });
  const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
  return [
    ...Object.entries(GOOD).flatMap(([slug, lines]) => [
      draft(slug, textOf(lines)),
      draft(`${slug}-cut`, textOf(lines).slice(0, -1), fault(lines.length)),
    ]),
    ...Object.entries(BAD).map(([slug, [line, ...lines]]) => draft(slug, textOf(lines), fault(line))),
    ...Object.entries(UNKNOWN).map(([slug, [line, ...lines]]) =>
      draft(`unknown-${slug}`, textOf(lines), fault(line, "unsupported_object")),
    ),
    ...many(textOf).map(([slug, text, expected]) => draft(slug, text, expected)),
  ];
}

/** As many logs as are allowed, and one more. */
function many(textOf: (lines: readonly string[]) => string): (readonly [string, string, Draft["expected"]])[] {
  const logs = Array.from({ length: 32 }, (_, at) => log(`log${at}.example`));
  const witnesses = Array.from({ length: 32 }, (_, at) => witness(`w${at}`));
  const groups = witnesses.map((_, at) => `group g${at} any w${at}`);
  const all = `group g all ${groups.map((_, at) => `g${at}`).join(" ")}`;
  return [
    ["32-logs", textOf([...logs, END]), { ok: true }],
    ["32-witnesses-and-groups", textOf([...witnesses, ...groups, all, "quorum g"]), { ok: true }],
    ["line-number-of-33", textOf([...logs, "x", END]), { ok: false, line: 33, code: "malformed" }],
  ];
}
