/**
 * `python -m svc verify` prints what the npm `svc` prints, but for what is each program's own: the words of problems
 * and of notes, the time and the kernel. A sample of the fixtures.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { findFork, issueKeyEndorsement, type Json, portableReceiptOf, referenceKernel } from "@svc/core";
import { built } from "@svc/testkit/built";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { environment, FOLDER, pythons, saysMissing } from "@svc/testkit/python";

const CASES = fileURLToPath(new URL("../../../fixtures/cases/", import.meta.url));
/** Every so many-th fixture is tried. */
const EACH = Number(process.env.SVC_EACH_FIXTURE ?? 31);
const folder = mkdtempSync(join(tmpdir(), "svc-words-"));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  readonly code: number;
  readonly text: string;
}

function outcome(program: string, words: readonly string[]): Promise<Outcome> {
  const env = { ...process.env, PYTHONPATH: join(FOLDER, "src"), PYTHONDONTWRITEBYTECODE: "1", HOME: folder };
  return new Promise((resolve) => {
    execFile(program, words, { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, text: stdout + stderr });
    });
  });
}

/** Leaves out what is each program's own, such as the sentences under a code: of a rejected file also the advice. */
function steady({ code, text }: Outcome): Outcome {
  const common = text
    .replace(/(verified|checked) in (under )?[\d.]+ s, offline, kernel \S+ svc/, "$1")
    .replaceAll(/^( {2}◐ \w+.*\n)( {4}(?!What to do:).*\n)+/gm, "$1")
    .replaceAll(/^ {2}(Found|Not checked)\n( {4}.*\n)+\n/gm, "");
  if (code === 0 || code === 2) return { code, text: common };
  const kept = common.split("\n").filter((line) => /^\S/.test(line) || /^ {2}✗ \w+/.test(line));
  return { code, text: [...new Set(kept.map((line) => line.replace(/ {3}\/.*/, "")))].toSorted().join("\n") };
}

test("the words about two histories in several files are those of the npm svc", async (t) => {
  const [command] = await pythons();
  if (command === undefined) return t.skip(saysMissing());
  const [python, npm] = [await environment(command), join(await built("cli"), "svc.mjs")];
  const put = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));
  const [told, retold] = [await issueStream(12), await issueStream(12, { forkedAt: 6 })];
  const [ours, theirs] = [await bundleOf(told), await bundleOf(retold)];
  put("ours.json", ours);
  put("theirs.json", theirs);
  put("receipt.json", retold.records[7]);
  put("window.json", retold.windows[2]);
  put("checkpoint.json", retold.checkpoints.at(-1));
  put("portable.json", portableReceiptOf(referenceKernel, theirs, 8));
  const now = { fork_id: "frk_01k30000000000000000000001", detected_at: "2026-04-01T08:00:00.000Z" };
  put("fork.json", findFork(ours as unknown as Json, theirs as unknown as Json, { ...now, kernel: referenceKernel }));
  const successor = testSigner("successor");
  put("successor.json", {
    ...(await bundleOf(await issueStream(12, { forkedAt: 6, signer: successor }), 1, successor)),
    key_endorsements: [
      await issueKeyEndorsement(referenceKernel, SERVICE, successor.publicKeyHex, "2026-01-01T00:00:00.000Z"),
    ],
  });
  const names = ["theirs", "receipt", "window", "checkpoint", "portable", "fork", "ours", "successor"];
  const others = names.map((name) => `${name}.json`);
  const calls = [...others.map((other) => ["ours.json", other]), ["ours.json", ...others]];
  for (const files of calls) {
    for (const pins of [["--public-key-hex", SERVICE.publicKeyHex], []]) {
      const words = ["verify", ...files, ...pins];
      const whole = ({ code, text }: Outcome) => [code, text.replace(/\n\w+ in [^\n]*\n$/, "")];
      const theirWords = await outcome(process.execPath, [npm, ...words]);
      assert.deepEqual(whole(await outcome(python, ["-m", "svc", ...words])), whole(theirWords), words.join(" "));
      const line = ({ text }: Outcome) => {
        const { proof, ...said } = JSON.parse(text.trimEnd().split("\n").at(-1) ?? "");
        return said.fork_detected === true ? { said, kind: proof?.kind } : null;
      };
      const json = [...words, "--json"];
      assert.deepEqual(
        line(await outcome(python, ["-m", "svc", ...json])),
        line(await outcome(process.execPath, [npm, ...json])),
      );
    }
  }
});

test("the words of a verdict are those of the npm svc", async (t) => {
  const [command] = await pythons();
  if (command === undefined) return t.skip(saysMissing());
  const [python, npm] = [await environment(command), join(await built("cli"), "svc.mjs")];
  const paths = readdirSync(CASES, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".json"));
  let compared = 0;
  for (const path of paths.toSorted().filter((_, index) => index % EACH === 0)) {
    const { input, trust, links, code } = JSON.parse(readFileSync(join(CASES, path), "utf8"));
    // Texts of faults in a trust policy are each program's own.
    if (input === undefined || links !== undefined || code === "kid_mismatch") continue;
    writeFileSync(join(folder, "it.json"), input);
    writeFileSync(join(folder, "trust.json"), JSON.stringify(trust));
    const words = ["verify", "it.json", "--trust", "trust.json"];
    const theirs = steady(await outcome(process.execPath, [npm, ...words]));
    const ours = steady(await outcome(python, ["-m", "svc", ...words]));
    if (theirs.code === 64) assert.equal(ours.code, 64, path);
    else assert.deepEqual(ours, theirs, path);
    compared++;
  }
  assert.ok(compared > 10, `${compared}`);
});
