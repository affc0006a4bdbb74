/**
 * The place at which a fault in a bundle is reported, part by part and at the edges of each rule; other tests check
 * that the bundle is refused. It is long because each fault has its own row.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorOf } from "@svc/testkit/evidence/anchors";
import { forks, told } from "@svc/testkit/evidence/forks";
import { otherHash, resealWindow } from "@svc/testkit/evidence/resealed";
import {
  at,
  bundleOf,
  id,
  issueStream,
  ORIGIN,
  POLICY,
  SERVICE,
  WITNESS,
  WITNESS_POLICY,
} from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { cosignLine } from "@svc/testkit/evidence/vkeys";
import {
  type Anchor,
  type Bundle,
  issueBundle,
  issueKeyEndorsement,
  type Json,
  keyHint,
  pinKeys,
  policyDigest,
  referenceKernel,
  showInclusions,
  type TrustPolicy,
  verify,
  type Window,
  windowHash,
} from "../src/index.ts";

const kernel = referenceKernel;
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
// Windows of two events, checkpoints of two windows: three whole ones.
const evidence = await issueStream(12, { perWindow: 2, perCheckpoint: 2 });
const good = await bundleOf(evidence);
const [first = assert.fail(), second = assert.fail()] = evidence.windows;
const OTHER = otherHash(first.window_root);
const OTHER_STREAM = id("str", 9);

// biome-ignore lint/suspicious/noExplicitAny: any part of a bundle may be changed
type Editable = any;

function report(bundle: unknown, policy: TrustPolicy = trust) {
  return verify(kernel.canonicalize(JSON.parse(JSON.stringify(bundle)) as Json), { trust: policy, kind: "bundle" });
}

function problems(bundle: unknown, policy?: TrustPolicy): string[] {
  return report(bundle, policy).problems.map(({ code, path }) => `${code} ${path}`);
}

function edited(edit: (bundle: Editable) => unknown, from: Bundle = good): Bundle {
  const copy = structuredClone(from);
  edit(copy);
  return copy;
}

const windowsOf = (bundle: Editable) => bundle.artifacts["windows.json"];
const checkpointsOf = (bundle: Editable) => bundle.artifacts["checkpoints.json"];
const receiptsOf = (bundle: Editable) => bundle.artifacts["receipts.json"];
const witnessesOf = (bundle: Editable) => bundle.artifacts["witnesses.json"];
const eventId = good.artifacts["receipts.json"][3]?.stream_event_id ?? assert.fail();

const faults: readonly (readonly [(bundle: Editable) => unknown, string])[] = [
  [(b) => (windowsOf(b)[1].to_seq_no = 1), "malformed /artifacts/windows.json/1/to_seq_no"],
  [(b) => (checkpointsOf(b)[1].origin = "a/b"), "malformed /artifacts/checkpoints.json/1/origin"],
  [(b) => (b.manifest.prior_windows.frontier = [OTHER]), "malformed /manifest/prior_windows/frontier"],
  [(b) => (b.manifest.from_seq_no = 13), "malformed /manifest/to_seq_no"],
  [(b) => (witnessesOf(b).witness_policies[0].threshold = 2), "malformed /artifacts/witnesses.json/witness_policies/0"],
  [(b) => (b.manifest.artifact_hashes["forks.json"] = OTHER), "missing_member /artifacts/forks.json"],
  [(b) => (windowsOf(b)[1].stream_id = OTHER_STREAM), "stream_mismatch /artifacts/windows.json/1/stream_id"],
  [(b) => (windowsOf(b)[1].closed_at = at(1)), "signature_invalid /artifacts/windows.json/1/seal/signature"],
  [(b) => (windowsOf(b)[1].window_root = OTHER), "window_root_mismatch /artifacts/windows.json/1/window_root"],
  [(b) => (windowsOf(b)[1].window_no = 3), "range_incomplete /artifacts/windows.json/1/window_no"],
  [(b) => (windowsOf(b)[1].window_no = 1), "sequence_broken /artifacts/windows.json/1/window_no"],
  [(b) => (windowsOf(b)[1].from_seq_no = 4), "range_incomplete /artifacts/windows.json/1/from_seq_no"],
  [(b) => (windowsOf(b)[1].from_seq_no = 2), "sequence_broken /artifacts/windows.json/1/from_seq_no"],
  [(b) => (windowsOf(b)[1].policy_digest = OTHER), "policy_digest_mismatch /artifacts/windows.json/1/policy_digest"],
  [(b) => (windowsOf(b).length = 0), "range_incomplete /artifacts/windows.json"],
  [(b) => (receiptsOf(b).length = 0), "range_incomplete /artifacts/receipts.json"],
  [(b) => receiptsOf(b).pop(), "range_incomplete /artifacts/receipts.json/10/seq_no"],
  [(b) => (b.manifest.to_seq_no = 11), "sequence_broken /artifacts/receipts.json/11/seq_no"],
  [(b) => (b.manifest.to_seq_no = 13), "range_incomplete /artifacts/windows.json/5/to_seq_no"],
  [(b) => (b.manifest.from_seq_no = 2), "sequence_broken /artifacts/receipts.json/0/seq_no"],
  [(b) => (receiptsOf(b)[1].seq_no = 3), "range_incomplete /artifacts/receipts.json/1/seq_no"],
  [(b) => (receiptsOf(b)[1].event_type = "other"), "event_hash_mismatch /artifacts/receipts.json/1/event_hash"],
  [(b) => (b.payloads[eventId].payload = {}), `payload_hash_mismatch /payloads/${eventId}`],
  [(b) => (b.payloads[id("sev", 9)] = b.payloads[eventId]), `malformed /payloads/${id("sev", 9)}`],
  [
    (b) => Object.assign(checkpointsOf(b)[1], { stream_id: OTHER_STREAM, origin: `${ORIGIN}/${OTHER_STREAM}` }),
    "stream_mismatch /artifacts/checkpoints.json/1/stream_id",
  ],
  [
    (b) => (checkpointsOf(b)[1].checkpoint_no = 3),
    "previous_checkpoint_mismatch /artifacts/checkpoints.json/1/previous_checkpoint_hash",
  ],
  [(b) => (checkpointsOf(b)[1].frontier = [OTHER]), "checkpoint_root_mismatch /artifacts/checkpoints.json/1/frontier"],
  [
    (b) => checkpointsOf(b)[1].window_roots.shift(),
    "checkpoint_window_mismatch /artifacts/checkpoints.json/1/window_roots",
  ],
  [(b) => (checkpointsOf(b)[1].to_seq_no = 9), "checkpoint_window_mismatch /artifacts/checkpoints.json/1/to_seq_no"],
  [(b) => (checkpointsOf(b)[1].note = ""), "note_malformed /artifacts/checkpoints.json/1/note"],
  [
    (b) => (checkpointsOf(b)[1].checkpoint_root = OTHER),
    "checkpoint_root_mismatch /artifacts/checkpoints.json/1/checkpoint_root",
  ],
  [(b) => (checkpointsOf(b)[1].policy_id = "other"), "policy_changed /artifacts/checkpoints.json/1/policy_id"],
  [(b) => checkpointsOf(b).shift(), "range_incomplete /artifacts/checkpoints.json/0"],
  [(b) => checkpointsOf(b).pop(), "checkpoint_stale /artifacts/checkpoints.json/1"],
  [(b) => (checkpointsOf(b).length = 0), "checkpoint_stale /artifacts/checkpoints.json/0"],
  [(b) => (checkpointsOf(b)[2].window_count = 7), "checkpoint_stale /artifacts/checkpoints.json/2"],
  [
    (b) => (witnessesOf(b).statements[1].checkpoint_id = id("chk", 9)),
    "witness_statement_mismatch /artifacts/witnesses.json/statements/1/checkpoint_id",
  ],
  [(b) => (witnessesOf(b).statements.length = 0), "witness_quorum_unmet /artifacts/witnesses.json/statements"],
  [
    (b) => witnessesOf(b).statements.push(witnessesOf(b).statements[2]),
    "malformed /artifacts/witnesses.json/statements/3",
  ],
  [(b) => witnessesOf(b).policies.push(witnessesOf(b).policies[0]), "malformed /artifacts/witnesses.json/policies/1"],
  [
    (b) => witnessesOf(b).witness_policies.push(WITNESS_POLICY),
    "malformed /artifacts/witnesses.json/witness_policies/1",
  ],
  [(b) => (b.manifest.created_at = at(1001)), "signature_invalid /seal/signature"],
  [(b) => (b.key_hints[0].public_key_hex = WITNESS.publicKeyHex), "kid_mismatch /key_hints/0/kid"],
  [(b) => (b.manifest.artifact_hashes["windows.json"] = OTHER), "artifact_hash_mismatch /artifacts/windows.json"],
];

for (const [edit, expected] of faults)
  test(`a fault is reported where it stands: ${expected}, ${edit}`, () => {
    const found = problems(edited(edit));
    assert.ok(found.includes(expected), `got ${found}`);
  });

test("the windows that a checkpoint lists are the bundle's, each member of them", () => {
  for (const changes of [{ window_hash: OTHER }, { window_root: OTHER }, { from_seq_no: 99 }, { to_seq_no: 99 }]) {
    const found = problems(edited((b) => Object.assign(checkpointsOf(b)[1].window_roots[1], changes)));
    const expected = "checkpoint_window_mismatch /artifacts/checkpoints.json/1/window_roots/1";
    assert.ok(found.includes(expected), `${Object.keys(changes)}: ${found}`);
  }
  const renumbered: Window = { ...second, window_no: 7 };
  const found = problems(
    edited((b) => {
      windowsOf(b)[1] = renumbered;
      checkpointsOf(b)[0].window_roots[1].window_hash = windowHash(kernel, renumbered);
    }),
  );
  assert.ok(found.includes("checkpoint_window_mismatch /artifacts/checkpoints.json/0/window_roots/1"), `${found}`);
});

test("a frontier of a checkpoint that leads nowhere gives it no root, and is no second thing looked at", () => {
  const countOf = (bundle: Bundle) => report(bundle).checks.find((check) => check.id === "checkpoint_root")?.count;
  const frontier = edited((b) => {
    checkpointsOf(b)[1].frontier = [OTHER];
    checkpointsOf(b)[1].window_roots.pop();
  });
  const problem = report(frontier).problems.find(({ path }) => path.endsWith("/1/frontier"));
  assert.deepEqual([problem?.actual, countOf(frontier)], ["", countOf(good)]);
});

test("a bundle of nothing shows nothing, and says what is not there", () => {
  const empty = edited((b) => {
    receiptsOf(b).length = 0;
    b.payloads = {};
  });
  const message = (bundle: Bundle) => report(bundle).problems.find(({ code }) => code === "range_incomplete")?.message;
  assert.equal(message(empty), "The bundle holds no events, and states a range from 1 to 12.");
  assert.equal(
    message(edited((b) => (windowsOf(b).length = 0))),
    "The bundle holds no windows, and states a range from 1 to 12.",
  );
  const none = edited((b) => {
    for (const list of [receiptsOf(b), windowsOf(b), checkpointsOf(b), witnessesOf(b).statements]) list.length = 0;
    b.payloads = {};
  });
  assert.equal(report(none).assurance.included, false);
});

test("the place of a bundle's first window is held against its number", async () => {
  const later = await bundleOf(evidence, 3);
  const early = edited((b) => {
    b.manifest.from_seq_no = 2;
    windowsOf(b)[0].from_seq_no = 2;
  }, later);
  assert.ok(problems(early).includes("sequence_broken /artifacts/windows.json/0/from_seq_no"));
});

test("the policy of a window has the policy_id of its stream", async () => {
  const other = { ...POLICY, policy_id: "other", policy_version: 2 };
  const window = (one: Window) => resealWindow(one, { policy_digest: policyDigest(kernel, other) });
  const changed = await issueStream(4, { perWindow: 2, perCheckpoint: 2, lies: { window } });
  const bundle = await bundleOf({ ...changed, policies: [...changed.policies, other] });
  const [problem] = report(bundle).problems;
  assert.deepEqual([problem?.expected, problem?.actual], [POLICY.policy_id, "other"]);
  assert.deepEqual(problems(bundle), [
    "policy_changed /artifacts/windows.json/0/policy_digest",
    "policy_changed /artifacts/windows.json/1/policy_digest",
  ]);
});

test("a bundle may be of one event, and start anywhere in a checkpoint", async () => {
  const one = await issueStream(1);
  assert.deepEqual(problems(await bundleOf(one)), []);
  const wide = await issueStream(14, { perWindow: 2, perCheckpoint: 5 });
  for (const firstWindow of [1, 2, 3, 4, 5]) {
    const part = await bundleOf(wide, firstWindow);
    assert.deepEqual(problems(part), [], `from window ${firstWindow} on`);
    const { window_roots } = part.artifacts["checkpoints.json"][0] ?? assert.fail();
    for (const [index, { window_no }] of window_roots.entries()) {
      if (window_no >= firstWindow) continue;
      const wrong = edited((b) => (checkpointsOf(b)[0].window_roots[index].window_hash = OTHER), part);
      const found = problems(wrong);
      assert.ok(found.includes("checkpoint_root_mismatch /artifacts/checkpoints.json/0/window_roots"), `${found}`);
    }
  }
  // A subtree of the frontier that begins before the listed windows cannot be compared with them.
  const late = await issueStream(12, { perWindow: 1, perCheckpoint: 5 });
  const part = await bundleOf(late, 8);
  assert.deepEqual(problems(part), []);
  const listed = edited((b) => (checkpointsOf(b)[0].window_roots[1].window_hash = OTHER), part);
  assert.ok(problems(listed).includes("checkpoint_root_mismatch /artifacts/checkpoints.json/0/window_roots"));
  const unseen = edited((b) => (b.manifest.prior_windows.frontier[0] = OTHER), part);
  assert.ok(!problems(unseen).includes("checkpoint_root_mismatch /artifacts/checkpoints.json/0/window_roots"));
});

test("inclusion proofs are counted where any window has some", () => {
  const hashes = evidence.records.slice(0, 2).map(({ event_hash }) => event_hash);
  const shown = showInclusions(kernel, first, hashes, [1]);
  const inclusionOf = (bundle: Bundle) => report(bundle).checks.find((check) => check.id === "inclusion");
  assert.match(inclusionOf(good)?.note ?? "", /^no inclusion proofs/);
  assert.deepEqual(inclusionOf(edited((b) => (windowsOf(b)[0] = shown))), {
    id: "inclusion",
    status: "pass",
    count: 1,
  });
});

test("the origin and the size are those of the newest checkpoint, also where it is the only one", async () => {
  const [signer = assert.fail()] = trust.signers;
  for (const events of [4, 8, 12]) {
    const bundle = await bundleOf(await issueStream(events, { perWindow: 2, perCheckpoint: 2 }));
    const origin = (name: string) => ({ signers: [{ ...signer, origin: name }] });
    assert.deepEqual(problems(bundle, origin(ORIGIN)), []);
    assert.equal(report(bundle, origin("other.example")).problems[0]?.code, "signer_not_for_stream");
    const { window_count, checkpoint_root, stream_id } = bundle.artifacts["checkpoints.json"].at(-1) ?? assert.fail();
    const known = { ...trust, known_checkpoints: [{ stream_id, window_count, checkpoint_root }] };
    assert.deepEqual(problems(bundle, known), []);
  }
});

test("every checkpoint that a pinned witness cosigned dates what it covers; nothing dates the manifest", () => {
  const [signer = assert.fail()] = trust.signers;
  const witnesses = [{ name: `${ORIGIN}/witness`, public_key_hex: WITNESS.publicKeyHex }];
  const ended = { signers: [{ ...signer, valid_to: at(2000) }] };
  assert.deepEqual(problems(good, { ...ended, witnesses }), ["key_time_unproven /seal/kid"]);
  assert.deepEqual(problems(good, ended), ["key_time_unproven /artifacts/receipts.json/0/receipt/kid"]);
});

test("anchors ascend, their log grows with them, and known lines in their notes hold", async () => {
  const { checkpoints } = evidence;
  const anchor = (epochNo: number, size: number) =>
    anchorOf(checkpoints.slice(0, size), { state: "published", epochNo });
  const withAnchors = async (...anchors: readonly Promise<Anchor>[]) =>
    problems(await bundleOf(evidence, 1, SERVICE, await Promise.all(anchors)));
  assert.deepEqual(await withAnchors(anchor(3, 2), anchor(4, 3)), []);
  const order = "malformed /artifacts/anchors.json/1";
  assert.deepEqual(await withAnchors(anchor(3, 3), anchor(3, 2)), [order], "of one number: its order alone is wrong");
  assert.deepEqual(await withAnchors(anchor(4, 3), anchor(3, 3)), [order]);
  assert.deepEqual(await withAnchors(anchor(3, 3), anchor(4, 3)), [
    "anchor_does_not_bind /artifacts/anchors.json/1/log_size",
  ]);
  const text = "not the note";
  const wrong = await cosignLine(`${ORIGIN}/witness`, WITNESS, text, 9);
  const cosigned = anchorOf(checkpoints, { state: "published", cosignatures: [wrong] });
  assert.deepEqual(await withAnchors(cosigned), ["witness_signature_invalid /artifacts/anchors.json/0/note"]);
});

test("statements ascend by window count, then by witness, then by epoch of its key", async () => {
  const statement = (window_count: number, witness_id: string, key_epoch: number) => ({
    ...witnessesOf(good).statements[0],
    window_count,
    witness_id,
    key_epoch,
  });
  const isOrdered = (...statements: object[]) => {
    const found = problems(edited((b) => (witnessesOf(b).statements = statements)));
    return !found.some((problem) => problem.startsWith("malformed /artifacts/witnesses.json/statements/"));
  };
  const base = statement(2, "b", 2);
  for (const later of [statement(4, "a", 1), statement(2, "c", 1), statement(2, "b", 3)]) {
    assert.equal(isOrdered(base, later), true);
    assert.equal(isOrdered(later, base), false);
  }
  assert.equal(isOrdered(base, base), false);
});

test("a bundle holds the given parts, and no list of forks without a fork", async () => {
  const [{ evidence: fork } = assert.fail()] = await forks();
  const endorsement = await issueKeyEndorsement(kernel, SERVICE, testSigner("next").publicKeyHex, at(0));
  const anchor = await anchorOf(evidence.checkpoints);
  const { records, windows, checkpoints, policies, witnessPolicy, statements } = evidence;
  const input = {
    bundle_id: id("bundle", 1),
    created_at: at(1000),
    stream_id: first.stream_id,
    records,
    windows,
    checkpoints,
    witnesses: { policies, witness_policies: [witnessPolicy], statements },
    prior: { window_count: 0, frontier: [] },
    key_hints: [keyHint(kernel, SERVICE.publicKeyHex)],
    key_endorsements: [endorsement],
  };
  const bare = await issueBundle(kernel, SERVICE, input);
  assert.deepEqual(bare.artifacts["anchors.json"], []);
  assert.equal("forks.json" in bare.artifacts || "forks.json" in bare.manifest.artifact_hashes, false);
  assert.deepEqual([bare.key_hints, bare.key_endorsements], [input.key_hints, [endorsement]]);
  assert.deepEqual(Object.keys(bare.payloads ?? {}).sort(), records.map((record) => record.stream_event_id).sort());
  const whole = await issueBundle(kernel, SERVICE, { ...input, anchors: [anchor], forks: [fork] });
  assert.deepEqual([whole.artifacts["anchors.json"], whole.artifacts["forks.json"]], [[anchor], [fork]]);
  assert.equal("forks.json" in whole.manifest.artifact_hashes, true);
  const { payload: _payload, payload_salt: _salt, ...redacted } = records[0] ?? assert.fail();
  const less = await issueBundle(kernel, SERVICE, { ...input, records: [redacted, ...records.slice(1)] });
  assert.equal(Object.keys(less.payloads ?? {}).length, records.length - 1);
});

test("fork evidence has its form in a bundle too, and is reported at its place", async () => {
  const pieces = (await forks()).map(({ evidence }) => evidence);
  const carrying = await bundleOf(told, 1, SERVICE, [], pieces);
  const wrong = edited((b) => (b.artifacts["forks.json"][1].left = { no: "side" }), carrying);
  assert.ok(problems(wrong).includes("malformed /artifacts/forks.json/1/left"));
  const unnamed = edited((b) => delete b.manifest.artifact_hashes["forks.json"], carrying);
  assert.deepEqual(problems(unnamed), ["missing_member /manifest/artifact_hashes/forks.json"]);
});
