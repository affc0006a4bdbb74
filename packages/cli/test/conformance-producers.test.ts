/**
 * `hello` and the operations that make evidence of evidence: what they make is what core's functions make, and each
 * reason of a refusal has its code.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Bundle,
  findFork,
  type Json,
  type JsonObject,
  PROTOCOL,
  portableReceiptOf,
  type Redactable,
  redact,
  selectKernel,
  VERSION,
} from "@svc/core";
import { contradictions } from "@svc/testkit/evidence/forks";
import { bundleOf, issueStream } from "@svc/testkit/evidence/service";
import { issueVaultStream, vaultBundleOf } from "@svc/testkit/evidence/vaults";
import { KERNEL_NAMES } from "@svc/testkit/kernels";
import { answer, OPERATION_NAMES } from "../src/conformance/answer.ts";

const evidence = await issueStream(6, { perWindow: 2, perCheckpoint: 2 });
const bundle = await bundleOf(evidence);
const vaultBundle = await vaultBundleOf(await issueVaultStream(2));
const pairs = await contradictions();
const base64 = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64");
const changed = (change: (copy: Bundle) => unknown) => {
  const copy = structuredClone(bundle);
  change(copy);
  return copy;
};

for (const name of KERNEL_NAMES) {
  const kernel = selectKernel(name);
  const ask = (op: string, members: JsonObject): JsonObject => {
    const { id: _, ...rest } = answer({ id: 1, op, ...members }, kernel);
    return rest;
  };
  const resultOf = (object: unknown) => ({
    ok: true,
    result: Buffer.from(kernel.canonicalize(object as Json)).toString("base64"),
  });
  const refuses = (code: string, op: string, members: JsonObject) => {
    const { message: _, ...rest } = ask(op, members);
    assert.deepEqual(rest, { ok: false, code }, `${op} ${JSON.stringify(members).slice(0, 200)}`);
  };

  test(`${name}: hello`, () => {
    assert.deepEqual(ask("hello", {}), {
      ok: true,
      implementation: "svc",
      version: VERSION,
      kernel_sha256: kernel.sha256Hex,
      protocol: PROTOCOL,
      ops: [...OPERATION_NAMES],
    });
    assert.equal(kernel.sha256Hex === null, name === "reference");
    refuses("malformed_request", "hello", { who: "me" });
  });

  test(`${name}: redact`, () => {
    const [record] = evidence.records;
    const segment = { stream_id: record?.stream_id ?? "", records: evidence.records.slice(1, 4) };
    const portable = portableReceiptOf(kernel, bundle, 3);
    for (const [object, seqNos] of [
      [bundle, [1, 5]],
      [bundle, []],
      [segment, [2, 4]],
      [portable, [3]],
      [record, [1]],
      [redact(bundle, [1]), [1, 1]],
    ] as const)
      assert.deepEqual(
        ask("redact", { bytes: base64(object), seq_nos: [...seqNos] }),
        resultOf(redact(object as Redactable, seqNos)),
      );
    assert.deepEqual(ask("redact", { bytes: base64(bundle), seq_nos: ["2"] }), resultOf(redact(bundle, [2])));
    const bytes = base64(bundle);
    refuses("malformed_request", "redact", { bytes, seq_nos: 1 });
    refuses("malformed_request", "redact", { bytes, seq_nos: [-1] });
    refuses("malformed", "redact", { bytes, seq_nos: ["9007199254740992"] });
    refuses("json_malformed", "redact", { bytes: base64("{"), seq_nos: [1] });
    refuses("unsupported_object", "redact", { bytes: base64("{}"), seq_nos: [1] });
    refuses("unsupported_object", "redact", { bytes: base64(evidence.windows[0]), seq_nos: [1] });
    refuses("unsupported_object", "redact", { bytes: base64(vaultBundle), seq_nos: [1] });
    const added = changed((copy) => Object.assign(copy, { more: 1 }));
    refuses("malformed", "redact", { bytes: base64(added), seq_nos: [1] });
    for (const seq_nos of [[7], [0], [1, 7]]) refuses("event_missing", "redact", { bytes, seq_nos });
    const edited = changed((copy) => Object.assign(copy.manifest, { to_seq_no: 7 }));
    refuses("rejected", "redact", { bytes: base64(edited), seq_nos: [1] });
    refuses("event_missing", "redact", { bytes: base64(edited), seq_nos: [7] });
  });

  test(`${name}: portable-receipt`, () => {
    for (const seqNo of [1, 4, 6])
      assert.deepEqual(
        ask("portable-receipt", { bytes: base64(bundle), seq_no: seqNo }),
        resultOf(portableReceiptOf(kernel, bundle, seqNo)),
      );
    const bytes = base64(bundle);
    refuses("malformed_request", "portable-receipt", { bytes, seq_no: 1.5 });
    refuses("duplicate_name", "portable-receipt", { bytes: base64('{"a":1,"a":2}'), seq_no: 1 });
    refuses("unsupported_object", "portable-receipt", { bytes: base64(evidence.records[0]), seq_no: 1 });
    refuses("malformed", "portable-receipt", {
      bytes: base64(changed((copy) => Object.assign(copy, { more: 1 }))),
      seq_no: 1,
    });
    refuses("event_missing", "portable-receipt", { bytes, seq_no: 7 });
    for (const change of [
      (copy: Bundle) => copy.artifacts["checkpoints.json"].pop(),
      (copy: Bundle) => copy.artifacts["windows.json"].pop(),
      (copy: Bundle) => Object.assign(copy.artifacts["receipts.json"][5] ?? {}, { source_ref: "another" }),
    ])
      refuses("rejected", "portable-receipt", { bytes: base64(changed(change)), seq_no: 6 });
  });

  test(`${name}: fork.find`, () => {
    const [fork_id, detected_at] = ["frk_00000000000000000000000000", "1970-01-01T00:00:00.000Z"];
    for (const { name: what, a, b } of pairs) {
      const found = findFork(a, b, { fork_id, detected_at, kernel });
      const given = ask("fork.find", { left: base64(a), right: base64(b) });
      if (found === null) assert.deepEqual(given, { ok: true, result: null }, what);
      else assert.deepEqual(given, resultOf(found), what);
    }
    const [first] = pairs;
    const [left, right] = [base64(first?.a), base64(first?.b)];
    const named = { fork_id: "frk_01k30000000000000000000001", detected_at: "2026-03-01T00:00:00.000Z" };
    assert.deepEqual(
      ask("fork.find", { left, right, ...named }),
      resultOf(findFork(first?.a ?? null, first?.b ?? null, { ...named, kernel })),
    );
    assert.deepEqual(ask("fork.find", { left, right: left }), { ok: true, result: null });
    refuses("malformed_request", "fork.find", { left, right, fork_id: "frk_1" });
    refuses("malformed_request", "fork.find", { left, right, fork_id: `${named.fork_id}\n` });
    refuses("malformed_request", "fork.find", { left, right, detected_at: "2026-02-30T00:00:00.000Z" });
    for (const text of ["", "no note", "no note\n\n"])
      refuses("json_malformed", "fork.find", { left, right: base64(text) });
    const note = evidence.checkpoints[0]?.note ?? "";
    const damaged = Buffer.concat([Uint8Array.of(0xff), Buffer.from(note)]).toString("base64");
    refuses("invalid_unicode", "fork.find", { left: damaged, right });
    refuses("unsupported_object", "fork.find", { left, right: base64(evidence.statements[0]) });
    refuses("unsupported_object", "fork.find", { left: base64("1"), right });
    const misshapen = { ...evidence.records[0], seq_no: 0 };
    refuses("malformed", "fork.find", { left, right: base64(misshapen) });
  });
}
