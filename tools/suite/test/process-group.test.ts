/** The process group of a step: none of it is left, and signals and exit codes are handed on. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { describe, type TestContext, test } from "node:test";
import { type Ending, leavesNothing, NO_PROC } from "@svc/testkit/left-behind";
import { until } from "@svc/testkit/until";

const GROUP = new URL("../../process-group.mjs", import.meta.url).href;
const NPX = new URL("../../npx.mjs", import.meta.url).href;

/** Returns the code that starts Node with some code, and does not wait for it. `name`: a word of its command line. */
function starting(code: string, name: string, stdio = "ignore"): string {
  const words = JSON.stringify(["-e", code, name]);
  return (
    `require("node:child_process").spawn(process.execPath, ${words}, { ` + `stdio: ${JSON.stringify(stdio)} }).unref();`
  );
}

const STAYS = "setInterval(() => {}, 1000);";
/** A step with a child, and with a child of one that has ended. */
const STEP = `${starting(starting(STAYS, "a-grandchild"), "soon-over")} ${starting(STAYS, "a-child")} ${STAYS}`;

/** Returns the arguments of Node for a script with one step. `first`: code before it. */
function scriptOf(step: string, run: "runInGroup" | "runAtTerminal" = "runInGroup", first = ""): readonly string[] {
  const code = `
    import { ${run} } from ${JSON.stringify(GROUP)};
    ${first}
    process.exitCode = await ${run}(process.execPath, ["-e", ${JSON.stringify(step)}], { stdio: "inherit" });
  `;
  return ["--input-type=module", "-e", code];
}

const ENDINGS: readonly Ending[] = [
  { signal: "SIGTERM", to: "script" },
  { signal: "SIGINT", to: "script" },
  { signal: "SIGHUP", to: "script" },
  { signal: "SIGKILL", to: "script" },
  { signal: "SIGTERM", to: "step" },
  { signal: "SIGKILL", to: "step" },
];

describe("none of a step's group is left", { skip: NO_PROC }, () => {
  for (const ending of ENDINGS)
    test(`after ${ending.signal} to the ${ending.to}`, (t) =>
      leavesNothing(t, scriptOf(STEP), / a-grandchild $/, ending));

  test("after its own end", () => {
    // The output ends with the last process that has it.
    const words = scriptOf(`console.log("done"); ${starting(STAYS, "left", "inherit")}`);
    const { status, stdout } = spawnSync(process.execPath, words, { encoding: "utf8", timeout: 20_000 });
    assert.deepEqual([status, stdout], [0, "done\n"]);
  });

  test("after the end of the npx that started the package manager", (t) => {
    const script = scriptOf(
      STEP,
      "runInGroup",
      `(await import(${JSON.stringify(NPX)})).whenNpxIsGone(() => process.kill(process.pid, "SIGTERM"));`,
    );
    const between =
      `require("node:child_process").spawn(process.execPath, ` + `${JSON.stringify(script)}, { stdio: "inherit" })`;
    const npx =
      `process.title = "npm exec pnpm@12 bench"; require("node:child_process").spawn(process.execPath, ["-e", ` +
      `${JSON.stringify(between)}])`;
    return leavesNothing(t, ["-e", npx], / a-grandchild $/, { signal: "SIGTERM", to: "script" });
  });
});

test("exit codes and signals of a step are the script's", () => {
  for (const run of ["runInGroup", "runAtTerminal"] as const)
    for (const [step, expected] of [
      ["process.exitCode = 66", 66],
      ['process.kill(process.pid, "SIGKILL")', 128 + 9],
    ] as const)
      assert.equal(spawnSync(process.execPath, scriptOf(step, run)).status, expected, `${run}: ${step}`);
});

/** Starts a script whose step says its process id; resolves to both. */
async function started(t: TestContext, step: string, run: "runInGroup" | "runAtTerminal") {
  // It says so last: a signal that comes before a listener ends it.
  const script = spawn(process.execPath, scriptOf(`${step} console.log(process.pid);`, run), {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => script.kill("SIGKILL"));
  const lines = createInterface({ input: script.stdout });
  const [pid] = await once(lines, "line");
  return { script, lines, pid: Number(pid) };
}

test("Ctrl-Z stops a step with its script, and both go on", { skip: NO_PROC }, async (t) => {
  const { script, pid } = await started(t, STAYS, "runInGroup");
  const stateOf = (one: number) => /^.*\) (\S)/s.exec(readFileSync(`/proc/${one}/stat`, "utf8"))?.[1];
  const are = (isWanted: (state: string | undefined) => boolean) =>
    until("all are stopped, or none", async () =>
      [pid, script.pid ?? 0].every((one) => isWanted(stateOf(one))) ? 1 : null,
    );
  script.kill("SIGTSTP");
  await are((state) => state === "T");
  script.kill("SIGCONT");
  await are((state) => state !== "T");
  script.kill("SIGTERM");
  assert.deepEqual(await once(script, "exit"), [128 + 15, null]);
});

test("a program at the terminal is asked to end where its script is killed", async (t) => {
  const step = `process.once("SIGTERM", () => { console.log("drained"); process.exit(0); }); ${STAYS}`;
  const { script, lines } = await started(t, step, "runAtTerminal");
  const said = once(lines, "line");
  script.kill("SIGKILL");
  assert.deepEqual(await said, ["drained"]);
});
