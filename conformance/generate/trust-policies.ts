/**
 * Level 4: trust policies: single edits of one that says everything, over a checkpoint, and policies of each member
 * over small objects.
 */
import { type Checkpoint, type Json, type JsonObject, referenceKernel as kernel, kidOf } from "@svc/core";
import { at, id, issueStream, ORIGIN, SERVICE, WITNESS } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { edits } from "../../packages/core/src/tamper/edits.ts";
import { base64, type Draft } from "./draft.ts";
import { Draws } from "./draws.ts";
import { fingerprint, slugOf } from "./mutants.ts";

const UNTRUSTED_SIGNER = testSigner("stranger");
const PIN = { kid: kidOf(kernel, SERVICE.publicKeyHex), public_key_hex: SERVICE.publicKeyHex };
const OTHER = { kid: kidOf(kernel, UNTRUSTED_SIGNER.publicKeyHex), public_key_hex: UNTRUSTED_SIGNER.publicKeyHex };
const WITNESSES = [{ name: `${ORIGIN}/witness`, public_key_hex: WITNESS.publicKeyHex }];
const STREAM = id("str", 1);
const EDITS = 32;

/** Returns all cases of the family. */
export async function trustDrafts(): Promise<Draft[]> {
  const { checkpoints, windows, records } = await issueStream(2, { perWindow: 1, perCheckpoint: 1 });
  const [first, second] = checkpoints as [Checkpoint, Checkpoint];
  const whole = wholePolicy(first);
  const draft = (slug: string, kind: string, object: unknown, trust: Json): Draft => ({
    name: `trust/${slug}`,
    request: { op: "verify", bytes: base64(JSON.stringify(object)), kind, trust },
  });
  const policies = Object.entries(policiesOf(first, second));
  return [
    ...editsOf(whole).map(([slug, trust]) => {
      const one = draft(slug, "checkpoint", first, trust);
      return { ...one, name: `${one.name}-${fingerprint(one.request)}` };
    }),
    ...policies.map(([slug, trust]) => draft(slug, "checkpoint", first, trust)),
    ...Object.entries(pins()).flatMap(([slug, signers]) => [
      draft(`receipt-${slug}`, "receipt", records[0], { signers } as unknown as Json),
      ...(/origin|the-end/.test(slug)
        ? [draft(`window-${slug}`, "window", windows[0], { signers } as unknown as Json)]
        : []),
    ]),
    ...([[], "", 0, 1, true, false, [PIN], "signers"] as readonly Json[]).map((trust, at) =>
      draft(`no-policy-${at}`, "receipt", records[0], trust),
    ),
    {
      name: "trust/null",
      request: { op: "verify", bytes: base64(JSON.stringify(records[0])), trust: null },
      expected: { ok: false, code: "malformed_request" },
    },
    { name: "trust/left-out", request: { op: "verify", bytes: base64(JSON.stringify(records[0])) } },
    ...["", "Receipt", "ivc", "__proto__", "receipt "].map(
      (kind, at): Draft => ({
        name: `trust/no-kind-${at}`,
        request: { op: "verify", bytes: base64(JSON.stringify(records[0])), kind },
        expected: { ok: false, code: "unsupported_object" },
      }),
    ),
  ];
}

/** Returns a policy with every member of protocol section 16, under which the checkpoint is verified. */
function wholePolicy({ checkpoint_root, window_count }: Checkpoint): JsonObject {
  return {
    signers: [{ ...PIN, origin: ORIGIN, streams: [STREAM], endorse: true, valid_to: at(5000) }],
    revoked: [OTHER.kid],
    witnesses: WITNESSES,
    quorum: 1,
    blocks: [{ network: "eip155:1", number: 4660, hash: `0x${"ab".repeat(32)}` }],
    contracts: [{ network: "eip155:1", address: `0x${"c0".repeat(20)}`, code_hash: `0x${"cd".repeat(32)}` }],
    require: ["witnessed"],
    known_checkpoints: [{ stream_id: STREAM, window_count, checkpoint_root }],
    expect: { stream_id: STREAM, from_seq_no: 1, to_seq_no: 1 },
  } as unknown as JsonObject;
}

/** Returns a share of the single edits of a policy, each by what it changes. */
function editsOf(policy: JsonObject): (readonly [string, Json])[] {
  const all = [...edits(policy)];
  const draws = new Draws("trust edits");
  const chosen = new Set<number>();
  while (chosen.size < EDITS) chosen.add(draws.below(all.length));
  return [...chosen]
    .toSorted((a, b) => a - b)
    .flatMap((at) => {
      const edit = all[at];
      return edit === undefined ? [] : [[`edit-${slugOf(`${edit.class}${edit.path}`)}`, edit.value] as const];
    });
}

function policiesOf(first: Checkpoint, second: Checkpoint): Record<string, Json> {
  const known = ({ stream_id, window_count, checkpoint_root }: Checkpoint) => ({
    stream_id,
    window_count,
    checkpoint_root,
  });
  const list: Record<string, object> = {
    whole: wholePolicy(first),
    nobody: { signers: [] },
    "signers-missing": { witnesses: WITNESSES },
    "one-of-two-signers": { signers: [OTHER, PIN] },
    "signer-twice": { signers: [PIN, PIN] },
    "signer-twice-other-stream-first": { signers: [{ ...PIN, streams: [id("str", 9)] }, PIN] },
    "kid-of-another": { signers: [{ ...PIN, kid: OTHER.kid }] },
    "key-of-another-kid-missing": { signers: [{ public_key_hex: PIN.public_key_hex }] },
    revoked: { signers: [PIN], revoked: [PIN.kid] },
    "revoked-another": { signers: [PIN], revoked: [OTHER.kid] },
    "witness-pinned": { signers: [PIN], witnesses: WITNESSES },
    "witness-other-name": { signers: [PIN], witnesses: [{ ...WITNESSES[0], name: "other.example" }], quorum: 1 },
    "witness-other-key": {
      signers: [PIN],
      witnesses: [{ ...WITNESSES[0], public_key_hex: OTHER.public_key_hex }],
      quorum: 1,
    },
    "quorum-1": { signers: [PIN], witnesses: WITNESSES, quorum: 1 },
    "quorum-1.0": { signers: [PIN], witnesses: WITNESSES, quorum: 1.0 },
    "quorum-2": { signers: [PIN], witnesses: WITNESSES, quorum: 2 },
    "quorum-0": { signers: [PIN], witnesses: WITNESSES, quorum: 0 },
    "quorum-half": { signers: [PIN], witnesses: WITNESSES, quorum: 0.5 },
    "quorum-large": { signers: [PIN], witnesses: WITNESSES, quorum: Number.MAX_SAFE_INTEGER },
    "quorum-without-witnesses": { signers: [PIN], quorum: 1 },
    "quorum-text-none": { signers: [PIN], quorum: "quorum none\n" },
    "quorum-text-cut": { signers: [PIN], quorum: "quorum none" },
    "quorum-text-number": { signers: [PIN], witnesses: WITNESSES, quorum: "1" },
    "witness-twice-and-quorum-2": { signers: [PIN], witnesses: [...WITNESSES, ...WITNESSES], quorum: 2 },
    "require-nothing": { signers: [PIN], require: [] },
    "require-included": { signers: [PIN], require: ["included"] },
    "require-witnessed": { signers: [PIN], require: ["witnessed"] },
    "require-witnessed-pinned": { signers: [PIN], witnesses: WITNESSES, require: ["witnessed"] },
    "require-published": { signers: [PIN], require: ["published"] },
    "require-anchored": { signers: [PIN], require: ["anchored"] },
    "require-twice": { signers: [PIN], require: ["anchored", "anchored"] },
    "require-all": { signers: [PIN], require: ["included", "witnessed", "published", "anchored"] },
    "require-unknown": { signers: [PIN], require: ["trusted"] },
    "expect-stream": { signers: [PIN], expect: { stream_id: STREAM } },
    "expect-other-stream": { signers: [PIN], expect: { stream_id: id("str", 2) } },
    "expect-range": { signers: [PIN], expect: { from_seq_no: 1, to_seq_no: 1 } },
    "expect-other-start": { signers: [PIN], expect: { from_seq_no: 2 } },
    "expect-other-end": { signers: [PIN], expect: { to_seq_no: 2 } },
    "expect-inverted": { signers: [PIN], expect: { from_seq_no: 3, to_seq_no: 2 } },
    "expect-nothing": { signers: [PIN], expect: {} },
    "expect-zero": { signers: [PIN], expect: { from_seq_no: 0 } },
    "known-itself": { signers: [PIN], known_checkpoints: [known(first)] },
    "known-later": { signers: [PIN], known_checkpoints: [known(second)] },
    "known-of-other-stream": { signers: [PIN], known_checkpoints: [{ ...known(second), stream_id: id("str", 7) }] },
    "known-with-other-root": {
      signers: [PIN],
      known_checkpoints: [{ ...known(first), checkpoint_root: "0".repeat(64) }],
    },
    "unknown-member": { signers: [PIN], signer: [] },
    "unknown-member-capital": { signers: [PIN], Witnesses: WITNESSES },
    "prototype-member": JSON.parse(`{"signers":[],"__proto__":{"signers":${JSON.stringify([PIN])}}}`),
    "vaults-none": { signers: [PIN], vaults: [] },
    "vault-pinned": {
      signers: [PIN],
      vaults: [{ installation_id: id("ins", 1), public_key_hex: OTHER.public_key_hex }],
    },
    "vault-without-key": { signers: [PIN], vaults: [{ installation_id: id("ins", 1) }] },
    "level-l0": { signers: [PIN], require_assurance: "L0" },
    "level-l1": { signers: [PIN], require_assurance: "L1" },
    "level-l4": { signers: [PIN], require_assurance: "L4" },
  };
  return list as Record<string, Json>;
}

function pins(): Record<string, readonly object[]> {
  return {
    "pinned-for-stream": [{ ...PIN, streams: [STREAM] }],
    "pinned-for-no-stream": [{ ...PIN, streams: [] }],
    "pinned-for-other-stream": [{ ...PIN, streams: [id("str", 9)] }],
    "pinned-for-origin": [{ ...PIN, origin: ORIGIN }],
    "pinned-for-other-origin": [{ ...PIN, origin: "other.example" }],
    "pinned-to-the-end": [{ ...PIN, valid_to: at(5000) }],
    "pinned-to-the-beginning": [{ ...PIN, valid_to: at(0) }],
    "pinned-with-time-of-no-day": [{ ...PIN, valid_to: "2026-02-30T00:00:00.000Z" }],
    "pinned-with-year-0000": [{ ...PIN, valid_to: "0000-01-01T00:00:00.000Z" }],
    "pinned-without-endorsing": [{ ...PIN, endorse: false }],
    "pinned-uppercase": [{ ...PIN, public_key_hex: PIN.public_key_hex.toUpperCase() }],
    "pinned-newline": [{ ...PIN, kid: `${PIN.kid}\n` }],
  };
}
