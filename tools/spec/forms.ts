/**
 * Every form of text on the wire, by core's own pattern or the name of its format, with texts that have it and texts
 * that do not: those at the edges, and those that a library of some language takes for others.
 */

/** A demand on a text that no pattern expresses. */
export interface Rule {
  readonly id: string;
  readonly words: string;
}

/** A form of text. It has `pattern`, or `format` and `written`. */
export interface Form {
  readonly name: string;
  /** Core's own pattern. */
  readonly pattern?: string;
  /** The name of core's format, which is a function. */
  readonly format?: string;
  /** The pattern of a format, in the dialect of formats.ts. */
  readonly written?: string;
  readonly rule?: Rule;
  readonly has: readonly string[];
  readonly lacks: readonly string[];
}

const ULIDS = [
  "01k3x9w5qe7r8t9y0z1a2b3c4d",
  "00000000000000000000000000",
  "7zzzzzzzzzzzzzzzzzzzzzzzzz",
  "01arz3ndektsv4rrffq69g5fav",
  "0123456789abcdefghjkmnpqrs",
  "4tvwxyz0123456789abcdefghj",
  "01hzzzzzzzzzzzzzzzzzzzzzzz",
  "6000000000000000000000000k",
  "3jkmnpqrstvwxyzjkmnpqrstvw",
  "01jqzy0000a000b000c000d000",
];

/** The prefixes of identifiers, by the names of what they identify. */
const PREFIXES: Readonly<Record<string, string>> = {
  "tenant-id": "tnt",
  "system-id": "sys",
  "stream-id": "str",
  "event-id": "sev",
  "window-id": "win",
  "checkpoint-id": "chk",
  "anchor-id": "anc",
  "fork-id": "frk",
  "bundle-id": "bundle",
  "export-id": "exp",
  "access-id": "tpa",
  "installation-id": "ins",
  "attestation-id": "att",
  "challenge-id": "vch",
  "enrollment-token-id": "enr",
  "disclosure-id": "dsc",
  "ivc-epoch-id": "ivc",
};

function identifier(name: string, prefix: string): Form {
  const [good = "", zeros = ""] = ULIDS;
  const lacks = [
    "",
    good,
    `${prefix}_${good.toUpperCase()}`,
    `${prefix.toUpperCase()}_${good}`,
    `${prefix}_${good.slice(0, -1)}`,
    `${prefix}_${good}0`,
    `${prefix}_8${zeros.slice(1)}`,
    ...["i", "l", "o", "u"].map((letter) => `${prefix}_${good.slice(0, -1)}${letter}`),
    `${prefix}-${good}`,
    `${prefix}_${good}\n`,
    ` ${prefix}_${good}`,
    `${prefix}_${good.slice(0, -1)}\u0663`,
  ];
  const has = ULIDS.map((ulid) => `${prefix}_${ulid}`);
  return { name, pattern: `^${prefix}_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$`, has, lacks };
}

/** A form of a prefix and so many hex digits. */
function hexForm(name: string, prefix: string, digits: number): Form {
  const filled = (text: string) => prefix + text.repeat(digits).slice(0, digits);
  const good = filled("0123456789abcdef");
  return {
    name,
    pattern: `^${prefix}[0-9a-f]{${digits}}$`,
    has: ["0", "f", "0123456789abcdef", "fedcba9876543210", "00ff", "a", "9", "deadbeef", "1e", "c0ffee"].map(filled),
    lacks: [
      "",
      prefix + good.slice(prefix.length, -1),
      `${good}0`,
      `${good}\n`,
      ` ${good}`,
      filled("0123456789ABCDEF"),
      filled("0123456789abcdeg"),
      `x${good}`,
      `${good.slice(0, -1)}\u0664`,
      `${good.slice(0, -1)}\uff10`,
      `${good.slice(0, -2)}\u00e9`,
      `${good.slice(0, -1)}-`,
    ],
  };
}

/** A form of any characters but control characters, 1 to so many. */
function printable(name: string, most: number): Form {
  return {
    name,
    pattern: `^[^\\u0000-\\u001f\\u007f-\\u009f]{1,${most}}$`,
    has: PRINTABLE(most),
    lacks: NOT_PRINTABLE(most),
  };
}

const PRINTABLE = (most: number) => [
  "a",
  " ",
  "Acme Ltd.",
  "\u00a0",
  "M\u00fcller & Söhne",
  "\u{1f600}",
  "\u{1f600}".repeat(most),
  "x".repeat(most),
  "\u2028",
  "\u200d",
  "\ufeff",
  "東京",
];
const NOT_PRINTABLE = (most: number) => [
  "",
  "x".repeat(most + 1),
  "\u{1f600}".repeat(most + 1),
  "\u0000",
  "a\n",
  "\na",
  "a\tb",
  "\u001f",
  "\u007f",
  "\u0080",
  "\u0085",
  "\u009f",
];

/** Any text of so many characters. */
function anyText(name: string, least: number, most: number): Form {
  const [shortest, longest] = ["x".repeat(least), "x".repeat(most)];
  return {
    name,
    pattern: `^[\\s\\S]{${least},${most}}$`,
    has: [
      shortest,
      longest,
      "\n".repeat(least),
      "\r\n".repeat(least),
      "\u{1f600}".repeat(least),
      "\u{1f600}".repeat(most),
      "\u2028".repeat(most),
      "\u0000".repeat(least),
      "\u{10ffff}".repeat(least),
      `${shortest}\n`,
      `\u0085${shortest}`,
    ],
    lacks: [
      "",
      "\u2028".repeat(most + 3),
      `${longest}x`,
      `${longest}\n`,
      `\n${longest}`,
      "\u{1f600}".repeat(most + 1),
      "\u0000".repeat(most + 1),
      "\u2029".repeat(most + 2),
      `${longest}\u{10ffff}`,
      "\r\n".repeat(most),
      "\u00e9".repeat(most + 1),
      `${longest}${longest}`,
    ],
  };
}

const REAL_DATE = {
  id: "real-date",
  words:
    "The day exists in its month by the Gregorian calendar: 30 days in April, June, September and November; in " +
    "February 29 if the year is divisible by 4 and not by 100, or by 400, and 28 otherwise. Years are 0000 to " +
    "9999; there is no second 60.",
};
const DATE = "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])";
const CLOCK = "(?:[01][0-9]|2[0-3]):[0-5][0-9]";

const ORIGIN_RULE = {
  id: "origin",
  words: "The text does not contain ://, and begins neither with / nor with SVC-.",
};
const WHITE_SPACE = "\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";

const AT_64 = "abcdefghij".repeat(6);

/** The forms, in the order of the protocol. */
export const FORMS: readonly Form[] = [
  hexForm("hash", "", 64),
  hexForm("signature", "", 128),
  hexForm("salt", "", 32),
  hexForm("kid", "ed25519-", 16),
  ...Object.entries(PREFIXES).map(([name, prefix]) => identifier(name, prefix)),
  {
    name: "slug",
    pattern: "^[a-z0-9][a-z0-9._-]{0,63}$",
    has: ["a", "0", "default", "a.b", "a_b", "a-b", "a--..__", "0.0.1", `${AT_64}abcd`, "9-"],
    lacks: ["", "A", ".a", "_a", "-a", "a b", "a/b", "a\n", `${AT_64}abcde`, "\u00e9", "a\u0663", "a:b"],
  },
  {
    name: "event-type",
    pattern: "^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$",
    has: ["a", "A", "0", "loan.approved", "a:b", "a/b", "a_b-c", "Z9./:_-", "x".repeat(128), "https://a/b"],
    lacks: ["", ".a", "_a", ":a", "/a", "-a", "a b", "a\n", "x".repeat(129), "\u00e9", "a+b", "a\u0660"],
  },
  {
    name: "source-ref",
    format: "source-ref",
    written: "[^\u0000-\u001f\u007f-\u009f]{1,512}",
    has: PRINTABLE(512),
    lacks: NOT_PRINTABLE(512),
  },
  {
    name: "service-time",
    format: "service-time",
    written: `${DATE}T${CLOCK}:[0-5][0-9]\\.[0-9]{3}Z`,
    rule: REAL_DATE,
    has: [
      "2026-03-01T00:00:00.000Z",
      "2026-12-31T23:59:59.999Z",
      "2024-02-29T12:00:00.000Z",
      "2000-02-29T00:00:00.000Z",
      "0000-02-29T00:00:00.000Z",
      "0000-01-01T00:00:00.000Z",
      "9999-12-31T23:59:59.999Z",
      "1900-02-28T00:00:00.000Z",
      "2026-04-30T00:00:00.001Z",
      "1969-12-31T23:59:59.999Z",
    ],
    lacks: [
      "",
      "2026-03-01T00:00:00Z",
      "2026-03-01T00:00:00.00Z",
      "2026-03-01T00:00:00.0000Z",
      "2026-03-01T00:00:00.000+00:00",
      "2026-03-01t00:00:00.000z",
      "2026-03-01 00:00:00.000Z",
      "2026-03-01T00:00:00.000Z\n",
      "2026-13-01T00:00:00.000Z",
      "2026-00-01T00:00:00.000Z",
      "2026-02-29T00:00:00.000Z",
      "1900-02-29T00:00:00.000Z",
      "2026-04-31T00:00:00.000Z",
      "2026-03-32T00:00:00.000Z",
      "2026-03-01T24:00:00.000Z",
      "2026-03-01T23:60:00.000Z",
      "2026-06-30T23:59:60.000Z",
      "+002026-03-01T00:00:00.000Z",
      "2026-03-0\u0661T00:00:00.000Z",
    ],
  },
  {
    name: "source-time",
    format: "source-time",
    written: `${DATE}T${CLOCK}:[0-5][0-9](?:\\.[0-9]{1,9})?(?:Z|[+-]${CLOCK})`,
    rule: REAL_DATE,
    has: [
      "2026-03-01T00:00:00Z",
      "2026-03-01T00:00:00.1Z",
      "2026-03-01T00:00:00.123456789Z",
      "2026-03-01T00:00:00+00:00",
      "2026-03-01T00:00:00-00:00",
      "2026-03-01T00:00:00+23:59",
      "2026-03-01T00:00:00.5-23:59",
      "2024-02-29T23:59:59+14:00",
      "0000-02-29T00:00:00Z",
      "9999-12-31T23:59:59.999-12:00",
    ],
    lacks: [
      "",
      "2026-03-01",
      "2026-03-01T00:00Z",
      "2026-03-01T00:00:00",
      "2026-03-01T00:00:00.Z",
      "2026-03-01T00:00:00.1234567890Z",
      "2026-03-01T00:00:00+0000",
      "2026-03-01T00:00:00+24:00",
      "2026-03-01T00:00:00+00:60",
      "2026-03-01T00:00:00z",
      "2026-03-01 00:00:00Z",
      "2026-03-01T00:00:00Z\n",
      "2023-02-29T00:00:00Z",
      "2026-11-31T00:00:00+01:00",
      "2026-06-30T23:59:60Z",
      "2026-03-01T00:00:00,5Z",
    ],
  },
  {
    name: "origin",
    format: "origin",
    written: "[!-*,-~]+",
    rule: ORIGIN_RULE,
    has: [
      "log.example",
      "log.example/evidence",
      "log.example:8443/a/b",
      "a",
      "SVC",
      "svc-log.example",
      "a:/b",
      "a//b",
      "~",
      "log.example/str_01k3x9w5qe7r8t9y0z1a2b3c4d",
    ],
    lacks: [
      "",
      "https://log.example",
      "log.example?to=a://b",
      "/log.example",
      "SVC-LOG",
      "log example",
      "log.example+a",
      "log.example\n",
      "l\u00f6g.example",
      "log.example\u007f",
      "\tlog.example",
      "log.example/\u00a0",
    ],
  },
  {
    name: "key-name",
    format: "key-name",
    written: `[^+\u0000-\u001f${WHITE_SPACE}]+`,
    has: [
      "a",
      "witness.example/w1",
      "https://w.example",
      "/a",
      "SVC-a",
      "w\u00fcrzburg",
      "東京",
      "\u{1f600}",
      "\u007f",
      "\u200b",
      "\ufeff",
    ],
    lacks: [
      "",
      "a b",
      "a+b",
      "+",
      "a\n",
      "a\u0000",
      "\u001f",
      "a\u0085",
      "a\u00a0b",
      "\u1680",
      "a\u2003b",
      "a\u2028",
      "a\u202f",
      "\u3000a",
    ],
  },
  {
    name: "hex",
    format: "hex",
    written: "(?:[0-9a-f]{2})*",
    has: ["", "00", "ff", "0a", "deadbeef", "0123456789abcdef", "f86c", "00".repeat(100), "c0", "1234"],
    lacks: ["0", "0x00", "FF", "0g", "abc", "00\n", " 00", "00 00", "\u0660\u0660", "0\u0663", "-1", "00\u0000"],
  },
  {
    name: "base64",
    format: "base64",
    written: "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?",
    has: ["", "AA==", "/w==", "//8=", "////", "AAA=", "AAAA", "+/+/", "SGVsbG8=", "TQ==", "QUJDREVG"],
    lacks: [
      "A",
      "AA",
      "AAA",
      "AA=",
      "AB==",
      "AAB=",
      "AA==\n",
      "A A=",
      "_-8=",
      "====",
      "AAAA=",
      "AA==AAAA",
      "\u00c4A==",
    ],
  },
  hexForm("bytes32", "0x", 64),
  hexForm("address", "0x", 40),
  {
    name: "network",
    pattern: "^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$",
    has: [
      "eip155:1",
      "eip155:11155111",
      "abc:A",
      "---:_",
      "12345678:a",
      "a-b:c-d_E",
      `eip155:${"9".repeat(32)}`,
      "bip122:000000000019d6689c085ae165831e93",
      "cosmos:cosmoshub-3",
      "svc:dev",
    ],
    lacks: [
      "",
      "eip155",
      "eip155:",
      ":1",
      "ab:1",
      "123456789:1",
      `eip155:${"9".repeat(33)}`,
      "EIP155:1",
      "eip155:1:2",
      "eip155:1\n",
      "eip155: 1",
      "eip155:\u0661",
    ],
  },
  printable("personal-name", 128),
  printable("audience", 256),
  hexForm("hidden-source-ref", "psr_", 64),
  {
    name: "field-name",
    pattern: "^[a-z][A-Za-z0-9_.-]{0,63}$",
    has: ["a", "z", "content", "aB", "a.b", "a_b-c", "a9", "author.name", `${AT_64}ABCD`, "policy"],
    lacks: ["", "A", "9a", ".a", "_a", "-a", "a b", "a\n", `${AT_64}ABCDE`, "a/b", "\u00e9", "a\u0663"],
  },
  {
    name: "envelope-event-type",
    pattern: "^(?=.{1,64}$)[a-z][a-z0-9-]*(?:\\.[a-z][a-z0-9-]*){1,3}$",
    has: [
      "a.b",
      "a.b.c",
      "a.b.c.d",
      "image.marked",
      "a1.b2",
      "a-.b-",
      "x-1.y-2.z-3",
      `${"a".repeat(62)}.b`,
      "ai.output.released",
      "w.x.y.z9",
    ],
    lacks: [
      "",
      "a",
      "a.",
      ".a",
      "a..b",
      "a.b.c.d.e",
      "A.b",
      "a.9b",
      "a.-b",
      "a_b.c",
      "a.b\n",
      `${"a".repeat(63)}.b`,
      "a b.c",
      "a.b\u0663",
    ],
  },
  {
    name: "binding-algorithm",
    pattern: "^[a-z0-9.-]{1,128}$",
    has: ["a", "0", ".", "-", "c2pa.watermark", "com.example.mark-1", "x".repeat(128), "..--", "9.9", "a-b.c"],
    lacks: ["", "A", "a_b", "a b", "a/b", "x".repeat(129), "a\n", "\u00e9", "a:b", "a+b", "\u0663", "a\u0000"],
  },
  hexForm("ak-name", "000b", 64),
  {
    name: "reason",
    pattern: "^[a-z][a-z0-9_]{0,63}$",
    has: ["a", "expired", "a_b", "a1", "key_mismatch", "z9_", `${AT_64}abcd`, "a__b", "not_verified", "q0"],
    lacks: ["", "A", "1a", "_a", "a-b", "a.b", "a b", "a\n", `${AT_64}abcde`, "\u00e9", "a\u0663", "aB"],
  },
  anyText("text-1-128", 1, 128),
  anyText("text-1-512", 1, 512),
  anyText("text-10-500", 10, 500),
];
