/**
 * Levels 1 to 4: requests that do not have the form of the protocol, each at the level of its operation, so that a
 * level asks for no operation of a later one. Words differ, so the code alone is compared.
 */
import type { JsonObject } from "@svc/core";
import type { Draft } from "./draft.ts";

/** The level of an operation; 1 for any other. */
const LEVELS: Readonly<Record<string, number>> = {
  "ed25519.verify": 2,
  "ed25519.batch": 2,
  "note.open": 3,
  "tlog-policy.parse": 3,
  verify: 4,
};
const HASH = "00".repeat(32);
const SIGNATURE = { public_key: HASH, message: "", signature: HASH + HASH };
const INCLUSION = { leaf_hash: HASH, leaf_index: 0, tree_size: 1, path: [], root: HASH };

const MALFORMED: Readonly<Record<string, JsonObject>> = {
  "member-missing": { op: "json.canonical" },
  "member-unknown": { op: "json.canonical", bytes: "e30=", note: "" },
  "member-of-another-operation": { op: "digest", tag: "event", bytes: "e30=", text: "" },
  "member-capital": { op: "json.canonical", Bytes: "e30=" },
  "base64-no-padding": { op: "json.canonical", bytes: "e30" },
  "base64-newline": { op: "json.canonical", bytes: "e30=\n" },
  "base64-space": { op: "json.canonical", bytes: "e3 0=" },
  "base64-not-canonical": { op: "json.canonical", bytes: "e31=" },
  "base64-too-much-padding": { op: "json.canonical", bytes: "e30==" },
  "base64-url-alphabet": { op: "json.canonical", bytes: "_w==" },
  "base64-padding-alone": { op: "json.canonical", bytes: "====" },
  "bytes-no-text": { op: "json.canonical", bytes: 1 },
  "bytes-null": { op: "json.canonical", bytes: null },
  "hex-uppercase": { op: "ed25519.verify", ...SIGNATURE, message: "AB" },
  "hex-odd": { op: "ed25519.verify", ...SIGNATURE, message: "abc" },
  "hex-prefix": { op: "ed25519.verify", ...SIGNATURE, message: "0xab" },
  "hex-newline": { op: "ed25519.verify", ...SIGNATURE, message: "ab\n" },
  "hex-space": { op: "ed25519.verify", ...SIGNATURE, message: "a b0" },
  "hex-fullwidth": { op: "ed25519.verify", ...SIGNATURE, message: "\uff11\uff11" },
  "items-no-array": { op: "ed25519.batch", items: SIGNATURE },
  "item-no-object": { op: "ed25519.batch", items: [1] },
  "item-member-unknown": { op: "ed25519.batch", items: [{ ...SIGNATURE, note: "" }] },
  "item-member-missing": { op: "ed25519.batch", items: [{ public_key: HASH, message: "" }] },
  "leaves-no-array": { op: "merkle.root", leaves: "00" },
  "leaf-odd": { op: "merkle.root", leaves: ["0"] },
  "path-no-array": { op: "merkle.inclusion", ...INCLUSION, path: {} },
  "path-of-numbers": { op: "merkle.inclusion", ...INCLUSION, path: [0] },
  "note-no-text": { op: "note.open", note: null, vkeys: [] },
  "vkeys-no-array": { op: "note.open", note: "", vkeys: "" },
  "vkey-no-text": { op: "note.open", note: "", vkeys: [1] },
  "text-no-text": { op: "tlog-policy.parse", text: 1 },
  "kind-no-text": { op: "verify", bytes: "e30=", kind: 1 },
  "links-no-array": { op: "verify", bytes: "e30=", links: {} },
  "hello-with-a-member": { op: "hello", name: "x" },
};

const UNSUPPORTED = [
  "",
  "Digest",
  "digest ",
  "json",
  "json.canonical\n",
  "constructor",
  "__proto__",
  "toString",
  "archive.unpack",
];

/** Returns the cases of a level. */
export function requestDrafts(level: number): Draft[] {
  return allDrafts().filter(({ request: { op } }) => (Object.hasOwn(LEVELS, `${op}`) ? LEVELS[`${op}`] : 1) === level);
}

function allDrafts(): Draft[] {
  return [
    ...Object.entries(MALFORMED).map(([slug, request]) => ({
      name: `request/${slug}`,
      request,
      expected: { ok: false, code: "malformed_request" },
    })),
    ...UNSUPPORTED.map((op, at) => ({
      name: `request/unsupported-${at}`,
      request: { op, any: [1] },
      expected: { ok: false, code: "unsupported_op" },
    })),
  ];
}
