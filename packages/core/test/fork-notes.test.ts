/**
 * The signers of the sides of fork evidence: known and unknown keys, of a log and of witnesses, in a lone piece and in
 * time. It is long because each way to sign a note meets each state of a key.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorOf } from "@svc/testkit/evidence/anchors";
import { checkpointWithFrontier, NAMED, retold, told } from "@svc/testkit/evidence/forks";
import { at, id, ORIGIN, SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { cosignLine } from "@svc/testkit/evidence/vkeys";
import {
  type ForkKind,
  issueForkEvidence,
  issueKeyEndorsement,
  type KeyHint,
  keyHint,
  pinKeys,
  referenceKernel,
  type Signer,
  type TrustPolicy,
  verify,
} from "../src/index.ts";
import { ED25519_LINE, encodeNote, noteKeyId, parseNote } from "../src/note/signed-note.ts";

const kernel = referenceKernel;
const [left, right] = [told, retold].map((evidence) => checkpointWithFrontier(evidence, 2).note);
assert.ok(left !== undefined && right !== undefined);
const { stream_id } = checkpointWithFrontier(told, 2);
const STREAM_ORIGIN = `${ORIGIN}/${stream_id}`;
const [witness, other, stranger] = ["w", "v", "stranger"].map(testSigner) as [Signer, Signer, Signer];
const NOBODY: TrustPolicy = { signers: [] };
const service = pinKeys(kernel, [SERVICE.publicKeyHex]);
const pinned = { name: "w.example", public_key_hex: witness.publicKeyHex };

/** Resolves to a note with a cosignature, `second` seconds after the start of the test stream. */
async function withCosignature(note: string, name: string, signer: Signer, second = 200): Promise<string> {
  const { text, lines } = parseNote(note) ?? assert.fail("a note");
  return encodeNote(text, [...lines, await cosignLine(name, signer, text, Date.parse(at(second)) / 1000)]);
}

/** Returns a note with other lines than its own. */
function withLines(note: string, ...lines: readonly Awaited<ReturnType<typeof cosignLine>>[]): string {
  return encodeNote((parseNote(note) ?? assert.fail("a note")).text, lines);
}

interface Judged {
  readonly verdict: string;
  readonly problems: readonly string[];
  readonly fork: unknown;
  readonly trust: unknown;
  readonly signed: boolean;
}

function judged(kind: ForkKind, sides: readonly [string, string], trust: TrustPolicy, hints: KeyHint[] = []): Judged {
  const { fork_id, detected_at } = NAMED;
  const streamId = sides[0].startsWith(STREAM_ORIGIN) ? stream_id : null;
  const named = { fork_id, detected_at, kind, stream_id: streamId, key_hints: hints };
  const evidence = issueForkEvidence(...sides, named);
  const { verdict, problems, checks, assurance } = verify(kernel.canonicalize(evidence), { trust });
  const check = (name: string) => {
    const { status, count = 0 } = checks.find(({ id }) => id === name) ?? assert.fail(name);
    return `${status} ${count}`;
  };
  const codes = problems.map(({ code, path }) => `${code} ${path}`);
  return { verdict, problems: codes, fork: check("fork"), trust: check("trust"), signed: assurance.signed };
}

/** Returns the verdict and the problems alone. */
function outcome(...args: Parameters<typeof judged>): unknown[] {
  const { verdict, problems } = judged(...args);
  return [verdict, ...problems];
}

const notes = [left, right] as const;
const INVALID = ["rejected", "fork_evidence_invalid "];

test("two notes by a log whose key nobody gave are its statements, unchecked and untrusted", () => {
  assert.deepEqual(judged("note", notes, NOBODY), {
    verdict: "untrusted",
    problems: ["key_not_pinned /left"],
    fork: "cannot_evaluate 1",
    trust: "cannot_evaluate 2",
    signed: false,
  });
  assert.deepEqual(judged("note", notes, service), {
    verdict: "verified",
    problems: [],
    fork: "pass 1",
    trust: "pass 2",
    signed: true,
  });
});

test("a line under the log's name that is no signature of a log is no statement", async () => {
  const cosigned = await Promise.all(
    notes.map(async (note) => withLines(note, await cosignLine(STREAM_ORIGIN, witness, note, 9))),
  );
  assert.deepEqual(outcome("note", cosigned as [string, string], NOBODY), INVALID);
  const elsewhere = notes.map((note) => {
    const [line] = parseNote(note)?.lines ?? [];
    return withLines(note, { ...(line ?? assert.fail("a line")), name: "other.example" });
  });
  assert.deepEqual(outcome("note", elsewhere as [string, string], NOBODY), INVALID);
});

test("by a key that nobody told it stays open whose statement a note is", () => {
  const by = (signer: Signer) => noteKeyId(kernel, STREAM_ORIGIN, ED25519_LINE, signer.publicKeyHex);
  const forged = withLines(right, { name: STREAM_ORIGIN, keyId: by(stranger), signature: new Uint8Array(64) });
  const places = ["key_not_pinned /left", "key_not_pinned /right"];
  assert.deepEqual(outcome("note", [left, forged], NOBODY), ["untrusted", ...places]);
  assert.deepEqual(outcome("note", [left, forged], service), ["untrusted", "key_not_pinned /right"]);
  const hints = [keyHint(kernel, stranger.publicKeyHex)];
  assert.deepEqual(outcome("note", [left, forged], service, hints), ["rejected", "fork_evidence_invalid /right"]);
});

test("a log's key counts for its own stream or service", async () => {
  const [signer = assert.fail("a signer")] = service.signers;
  const limited = (limits: object) => ({ signers: [{ ...signer, ...limits }] });
  const outside = ["untrusted", "signer_not_for_stream /left"];
  assert.deepEqual(outcome("note", notes, limited({ streams: [stream_id] })), ["verified"]);
  assert.deepEqual(outcome("note", notes, limited({ streams: [id("str", 9)] })), outside);
  assert.deepEqual(outcome("note", notes, limited({ origin: ORIGIN })), ["verified"]);
  assert.deepEqual(outcome("note", notes, limited({ origin: "other.example" })), outside);
  const epochs = await Promise.all(
    [told, retold].map((evidence) => anchorOf(evidence.checkpoints.slice(0, 2), { state: "published" })),
  );
  const logged = epochs.map(({ note }) => note) as [string, string];
  assert.deepEqual(outcome("note", logged, limited({ origin: ORIGIN })), ["verified"]);
  assert.deepEqual(outcome("note", logged, limited({ origin: "other.example" })), outside);
  assert.deepEqual(outcome("note", logged, limited({ streams: [stream_id] })), ["verified"]);
});

test("a log's key with an end is dated by the earliest pinned witness of that very note", async () => {
  const [signer = assert.fail("a signer")] = service.signers;
  const ended = { signers: [{ ...signer, valid_to: at(100) }] };
  const witnesses = [pinned, { name: "v.example", public_key_hex: other.publicKeyHex }];
  const sides = (seconds: readonly [number, number]) =>
    Promise.all(
      notes.map(async (note) =>
        withCosignature(await withCosignature(note, "w.example", witness, seconds[0]), "v.example", other, seconds[1]),
      ),
    ) as Promise<[string, string]>;
  const unproven = ["untrusted", "key_time_unproven /left"];
  assert.deepEqual(outcome("note", notes, ended), unproven);
  assert.deepEqual(outcome("note", await sides([90, 200]), { ...ended, witnesses }), ["verified"]);
  assert.deepEqual(outcome("note", await sides([200, 90]), { ...ended, witnesses }), ["verified"]);
  assert.deepEqual(outcome("note", await sides([200, 300]), { ...ended, witnesses }), unproven);
  assert.deepEqual(outcome("note", await sides([90, 90]), ended), unproven, "witnesses that nobody pins date nothing");
  const [dated, undated] = [(await sides([90, 90]))[0], right];
  assert.deepEqual(outcome("note", [dated, undated], { ...ended, witnesses }), [
    "untrusted",
    "key_time_unproven /right",
  ]);
});

test("a wrong line by a known key spoils a note, whatever the kind", async () => {
  const cosigned = (await Promise.all(notes.map((note) => withCosignature(note, "w.example", witness)))) as [
    string,
    string,
  ];
  const trust = { ...service, witnesses: [pinned] };
  assert.deepEqual(outcome("witness", cosigned, trust), ["verified"]);
  const { lines } = parseNote(cosigned[0]) ?? assert.fail("a note");
  for (const wrong of [0, 1]) {
    const flipped = lines.map((line, index) =>
      index === wrong ? { ...line, signature: line.signature.with(20, (line.signature[20] ?? 0) ^ 1) } : line,
    );
    for (const kind of ["note", "witness"] as const)
      assert.deepEqual(
        outcome(kind, [withLines(left, ...flipped), cosigned[1]], trust),
        ["rejected", "fork_evidence_invalid /left"],
        `${kind}, line ${wrong}`,
      );
  }
  const [first, second] = lines;
  assert.ok(first !== undefined && second !== undefined);
  const short = { ...second, signature: second.signature.subarray(8) };
  assert.deepEqual(outcome("witness", [withLines(left, first, short), cosigned[1]], trust), [
    "rejected",
    "fork_evidence_invalid /left",
  ]);
});

test("a witness whose key nobody gave signed both, if the lines name one key and are cosignatures", async () => {
  const both = async (one: Signer, two: Signer, names = ["w.example", "w.example"]) =>
    [await withCosignature(left, names[0] ?? "", one), await withCosignature(right, names[1] ?? "", two)] as const;
  assert.deepEqual(judged("witness", await both(witness, witness), service), {
    verdict: "untrusted",
    problems: ["key_not_pinned /left"],
    fork: "cannot_evaluate 1",
    trust: "cannot_evaluate 2",
    signed: false,
  });
  assert.deepEqual(outcome("witness", await both(witness, other), service), INVALID);
  assert.deepEqual(outcome("witness", await both(witness, witness, ["w.example", "v.example"]), service), INVALID);
  assert.deepEqual(outcome("witness", await both(witness, witness, [STREAM_ORIGIN, STREAM_ORIGIN]), service), INVALID);
  const plain = notes.map((note) => {
    const { lines } = parseNote(note) ?? assert.fail("a note");
    const [line = assert.fail("a line")] = lines;
    return withLines(note, line, { ...line, name: "w.example" });
  }) as [string, string];
  assert.deepEqual(outcome("witness", plain, service), INVALID);
});

test("a witness whose key came along signed both, and is not trusted for it", async () => {
  const sides = [
    await withCosignature(left, "w.example", witness),
    await withCosignature(right, "w.example", witness),
  ] as const;
  const hints = [keyHint(kernel, witness.publicKeyHex)];
  assert.deepEqual(judged("witness", sides, service, hints), {
    verdict: "untrusted",
    problems: ["key_not_pinned /left"],
    fork: "pass 1",
    trust: "cannot_evaluate 2",
    signed: true,
  });
  const named = [
    await withCosignature(left, STREAM_ORIGIN, witness),
    await withCosignature(right, STREAM_ORIGIN, witness),
  ] as const;
  assert.deepEqual(outcome("witness", named, service, hints), INVALID, "nobody is a witness of himself");
  assert.deepEqual(
    outcome("note", sides, service, hints),
    ["verified"],
    "who only hinted is no matter of a log's note",
  );
});

test("of several pairs of signers the one that is trusted most counts, whatever the order of the lines", async () => {
  const trust = { ...service, witnesses: [pinned] };
  const lines = (note: string) => parseNote(note)?.lines ?? [];
  const cosigned = async (note: string) =>
    lines(await withCosignature(await withCosignature(note, "v.example", other), "w.example", witness));
  const [ofLeft, ofRight] = [await cosigned(left), await cosigned(right)];
  const hints = [keyHint(kernel, other.publicKeyHex)];
  for (const turned of [false, true]) {
    const sides = [ofLeft, ofRight].map((all, index) =>
      withLines(index === 0 ? left : right, ...(turned ? all.toReversed() : all)),
    ) as [string, string];
    assert.deepEqual(outcome("witness", sides, trust, hints), ["verified"]);
    assert.deepEqual(outcome("witness", sides, service, hints), ["untrusted", "key_not_pinned /left"]);
    assert.equal(judged("witness", sides, service, hints).signed, true, "checked before unchecked");
  }
});

test("a line by a key that only came along is read in evidence against a witness alone", async () => {
  const { text, lines } = parseNote(left) ?? assert.fail("a note");
  const line = await cosignLine("w.example", witness, "another text", 9);
  const wrong = encodeNote(text, [...lines, line]);
  const hints = [keyHint(kernel, witness.publicKeyHex)];
  assert.deepEqual(outcome("note", [wrong, right], service, hints), ["verified"]);
  assert.deepEqual(outcome("witness", [wrong, right], service, hints), ["rejected", "fork_evidence_invalid /left"]);
});

test("two witnesses are two, also where the verifier pins both keys as signers", async () => {
  const sides = [
    await withCosignature(left, "w.example", witness),
    await withCosignature(right, "v.example", other),
  ] as const;
  const witnesses = [pinned, { name: "v.example", public_key_hex: other.publicKeyHex }];
  const { signers } = pinKeys(
    kernel,
    [SERVICE, witness, other].map(({ publicKeyHex }) => publicKeyHex),
  );
  assert.deepEqual(outcome("witness", sides, { signers, witnesses }), INVALID);
});

test("of a log's keys those count that are trusted on both sides, whatever the order of its lines", async () => {
  const next = testSigner("next");
  const endorsement = await issueKeyEndorsement(kernel, SERVICE, next.publicKeyHex, at(0));
  const signers = service.signers.map((signer) => ({ ...signer, endorse: false }));
  const lineBy = async (signer: Signer, text: string) => ({
    name: STREAM_ORIGIN,
    keyId: noteKeyId(kernel, STREAM_ORIGIN, ED25519_LINE, signer.publicKeyHex),
    signature: await signer.sign(new TextEncoder().encode(text)),
  });
  const signedBy = async (note: string, ...by: readonly Signer[]) => {
    const { text } = parseNote(note) ?? assert.fail("a note");
    return encodeNote(text, await Promise.all(by.map((signer) => lineBy(signer, text))));
  };
  const { fork_id, detected_at } = NAMED;
  const input = { fork_id, detected_at, kind: "note", stream_id, key_endorsements: [endorsement] } as const;
  for (const [ofLeft, ofRight] of [
    [[SERVICE], [next, SERVICE]],
    [[next, SERVICE], [SERVICE]],
    [
      [next, SERVICE],
      [next, SERVICE],
    ],
  ] as const) {
    const evidence = issueForkEvidence(await signedBy(left, ...ofLeft), await signedBy(right, ...ofRight), input);
    assert.equal(verify(kernel.canonicalize(evidence), { trust: { signers } }).verdict, "verified");
  }
});

test("what is no note is named by its side, and a sealed side has its form", () => {
  assert.deepEqual(outcome("note", [left, "no note"], service), ["rejected", "fork_evidence_invalid /right"]);
  const { fork_id, detected_at } = NAMED;
  const [window = assert.fail()] = told.windows;
  const sides = (kind: ForkKind, side: object) => {
    const evidence = issueForkEvidence(side as never, side as never, { fork_id, detected_at, kind, stream_id });
    assert.equal("key_endorsements" in evidence || "key_hints" in evidence, false);
    const { problems } = verify(kernel.canonicalize(evidence), { trust: service });
    return problems.map(({ code, path }) => `${code} ${path}`);
  };
  const both = (place: string) => [`malformed /left/${place}`, `malformed /right/${place}`];
  assert.deepEqual(sides("window", { ...window, from_seq_no: 2, to_seq_no: 1 }), both("to_seq_no"));
  assert.deepEqual(sides("checkpoint", { ...checkpointWithFrontier(told, 2), origin: "a/b" }), both("origin"));
});

test("a sealed side is dated by its own witness or block, and sealed in its key's time", async () => {
  const [signer = assert.fail("a signer")] = service.signers;
  const witnesses = [pinned];
  const { fork_id, detected_at } = NAMED;
  const judge = (kind: ForkKind, sides: readonly object[], trust: TrustPolicy) => {
    const named = { fork_id, detected_at, kind, stream_id: kind === "epoch" ? null : stream_id };
    const evidence = issueForkEvidence(sides[0] as never, sides[1] as never, named);
    const { verdict, problems, checks } = verify(kernel.canonicalize(evidence), { trust });
    const failed = checks.filter(({ status }) => status === "fail").map(({ id }) => id);
    return [verdict, ...problems.map(({ code, path }) => `${code} ${path}`), ...failed];
  };
  const ended = (valid_to: string) => ({ signers: [{ ...signer, valid_to }] });
  const checkpoints = await Promise.all(
    [told, retold].map(async (evidence) => {
      const checkpoint = checkpointWithFrontier(evidence, 2);
      return { ...checkpoint, note: await withCosignature(checkpoint.note, "w.example", witness) };
    }),
  );
  assert.deepEqual(judge("checkpoint", checkpoints, { ...ended(at(300)), witnesses }), ["verified"]);
  assert.deepEqual(judge("checkpoint", checkpoints, ended(at(300))), ["untrusted", "key_time_unproven /left/seal/kid"]);
  assert.deepEqual(judge("checkpoint", checkpoints, ended(at(1))), [
    "rejected",
    "key_not_valid_at_time /left/seal/kid",
    "trust",
  ]);
  const anchors = await Promise.all(
    [told, retold].map(async (evidence) => {
      const shown = evidence.checkpoints.slice(0, 2);
      const { note } = await anchorOf(shown, { state: "published" });
      const { text } = parseNote(note) ?? assert.fail("a note");
      const cosignatures = [await cosignLine("w.example", witness, text, Date.parse(at(200)) / 1000)];
      return anchorOf(shown, { state: "published", cosignatures });
    }),
  );
  assert.deepEqual(judge("epoch", anchors, { ...ended(at(600)), witnesses }), ["verified"]);
  assert.deepEqual(judge("epoch", anchors, ended(at(600))), ["untrusted", "key_time_unproven /left/seal/kid"]);
});
