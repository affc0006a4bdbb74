/** A witness that is killed at every step never signs two trees of one size, and goes on where it was. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openNote, parseVerificationKey } from "@svc/core";
import { bodyOf, TestLog } from "./log.ts";
import { environmentOf, startProgram } from "./program.ts";
import { add, kernel, madeWitness } from "./running.ts";

/** The steps from the check to the answer, in order; the two of the commit are those of packages/host. */
const STEPS = ["witness: signed", "commit: due", "commit: done", "witness: stored", "witness: marked"];
const ROUNDS = 3;

test("killed between check, store, mark and answer: one root for each size", async (t) => {
  // Two histories under one key take turns: in each round both ask for the same next size.
  const [honest, other] = [new TestLog("log.example/killed").growTo(1), new TestLog("log.example/killed").growTo(1)];
  const folder = await madeWitness(honest.vkey);
  const environment = environmentOf(folder);
  const rootsOf = new Map<number, Set<string>>();
  let size = 0;

  /** Sends a checkpoint, and notes its root if the answer is a cosignature of it. */
  async function ask(witness: { url: string; vkey: string }, log: TestLog, old: number): Promise<number | null> {
    const note = await log.note();
    const answer = await add(witness, bodyOf(old, log.proof(old), note)).catch(() => null);
    if (answer?.status === 200) {
      const key = parseVerificationKey(kernel, witness.vkey);
      assert.ok(key.ok && openNote(kernel, `${note}${answer.text}`, [key.key]).ok);
      const roots = rootsOf.get(log.size) ?? new Set();
      rootsOf.set(log.size, roots.add(Buffer.from(log.root()).toString("hex")));
    }
    return answer?.status ?? null;
  }

  const first = await startProgram(t, environment);
  assert.equal(await ask(first, honest, 0), 200);
  size = 1;
  await first.end("SIGKILL");
  for (let round = 0; round < ROUNDS; round++) {
    for (const failpoint of STEPS) {
      honest.growTo(size + 1);
      other.growTo(size + 1, "another history");
      const dying = await startProgram(t, environment, { failpoint, nth: 1 });
      // It dies over the one, and the other comes first after the restart.
      const [victim, rival] = round % 2 === 0 ? [other, honest] : [honest, other];
      await ask(dying, victim, size);
      // A refused checkpoint of the parted history does not come to the steps of a signature.
      await dying.end("SIGKILL");
      const next = await startProgram(t, environment);
      await ask(next, rival, size);
      await ask(next, victim, size);
      await ask(next, rival, size + 1);
      await ask(next, victim, size + 1);
      assert.equal(await next.end("SIGTERM"), 0);
      if (rootsOf.has(size + 1)) size += 1;
      for (const [at, roots] of rootsOf) assert.equal(roots.size, 1, `size ${at} after ${failpoint}`);
    }
  }
  assert.equal(size, 1 + ROUNDS * STEPS.length);
});
