/** A witness that is killed at every step never signs two trees of one size, and goes on where it was. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openNote, parseVerificationKey } from "@svc/core";
import { bodyOf, TestLog } from "./log.ts";
import { environmentOf, startProgram } from "./program.ts";
import { add, kernel, madeWitness } from "./running.ts";

/** The steps from the check to the answer, in order; the two of the commit are those of packages/host. */
const STEPS = [
  { failpoint: "witness: signed", isStored: false },
  // The start makes a commit of its own.
  { failpoint: "commit: due", nth: 2, isStored: false },
  { failpoint: "commit: done", nth: 2, isStored: true },
  { failpoint: "witness: stored", isStored: true },
  { failpoint: "witness: marked", isStored: true },
];
const ROUNDS = 3;

test("killed between check, store, mark and answer: one root for each size", async (t) => {
  let accepted = new TestLog("log.example/killed").growTo(1);
  const folder = await madeWitness(accepted.vkey);
  const environment = environmentOf(folder);
  const rootsOf = new Map<number, Set<string>>();

  /** Sends a checkpoint, and notes its root if the answer is a cosignature of it. Resolves to the status, if any. */
  async function ask(witness: { url: string; vkey: string }, log: TestLog, old: number): Promise<number | null> {
    const note = await log.note();
    const answer = await add(witness, bodyOf(old, log.proof(old), note)).catch(() => null);
    if (answer?.status !== 200) return answer?.status ?? null;
    const key = parseVerificationKey(kernel, witness.vkey);
    assert.ok(key.ok && openNote(kernel, `${note}${answer.text}`, [key.key]).ok);
    const roots = rootsOf.get(log.size) ?? new Set<string>();
    rootsOf.set(log.size, roots.add(Buffer.from(log.root()).toString("hex")));
    return 200;
  }

  await t.test("the first size", async (inner) => {
    const witness = await startProgram(inner, environment);
    assert.equal(await ask(witness, accepted, 0), 200);
    await witness.end("SIGKILL");
  });
  for (let round = 0; round < ROUNDS; round++) {
    for (const { failpoint, nth = 1, isStored } of STEPS) {
      const { size } = accepted;
      const victim = accepted.copy().growTo(size + 1, `victim ${round}`);
      const rival = accepted.copy().growTo(size + 1, `rival ${round}`);
      const dying = await startProgram(t, environment, { failpoint, nth });
      assert.equal(await ask(dying, victim, size), null, failpoint);
      assert.equal(await dying.ended, null, failpoint);
      const next = await startProgram(t, environment);
      // The other history comes first after the restart.
      assert.equal(await ask(next, rival, size), isStored ? 409 : 200, failpoint);
      assert.equal(await ask(next, victim, size), 409, failpoint);
      assert.equal(await ask(next, rival, size + 1), isStored ? 409 : 200, failpoint);
      assert.equal(await ask(next, victim, size + 1), isStored ? 200 : 409, failpoint);
      await next.end(round % 2 === 0 ? "SIGTERM" : "SIGKILL");
      accepted = isStored ? victim : rival;
    }
  }
  assert.equal(rootsOf.size, 1 + ROUNDS * STEPS.length);
  for (const [size, roots] of rootsOf) assert.equal(roots.size, 1, `two roots of size ${size}`);
});
