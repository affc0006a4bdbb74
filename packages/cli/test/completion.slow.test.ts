/**
 * The completion scripts, run by the shells themselves. bash is always there; zsh and fish are tested if the machine
 * has them.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { FOLDER, type Outcome, outerPath, put, runProcess, svc } from "./svc.ts";

mkdirSync(join(FOLDER, "exports"));
put("exports/april 2026.json", {});

/** Resolves to bash's proposals behind these words; the last word is being typed. */
async function proposed(...words: string[]): Promise<string[]> {
  const script = put(
    "asks.sh",
    `source "$1"; shift; COMP_WORDS=(svc "$@"); COMP_CWORD=$#; _svc; printf '%s\\n' "\${COMPREPLY[@]}"`,
  );
  const outcome = await runProcess("bash", [script, put("svc.bash", (await completion("bash")).stdout), ...words]);
  assert.deepEqual([outcome.code, outcome.stderr], [0, ""]);
  return outcome.stdout.split("\n").filter((line) => line !== "");
}

/** By shell: what `svc completion` prints, which is asked for once. */
const scripts = new Map<string, Promise<Outcome>>();

async function completion(shell: string): Promise<Outcome> {
  const asked = scripts.get(shell) ?? svc(["completion", shell]);
  scripts.set(shell, asked);
  const outcome = await asked;
  assert.deepEqual([outcome.code, outcome.stderr], [0, ""]);
  return outcome;
}

/** Resolves to the commands and options that a help page lists. */
async function helped(path: readonly string[]): Promise<{ commands: string[]; options: string[] }> {
  const { stdout } = await svc([...path, "--help"]);
  const list = (title: string, pattern: RegExp) => {
    const [, part = ""] = new RegExp(`^${title}:\\n([\\s\\S]*?)(?:\\n\\n|\\n$)`, "m").exec(`${stdout}\n`) ?? [];
    return [...part.matchAll(pattern)].map(([, name = ""]) => name);
  };
  return { commands: list("Commands", /^ {2}([a-z-]+)/gm), options: list("Options", /^ {2}(--[a-z0-9-]+)/gm) };
}

test("bash completes every command and option that the help pages list", async () => {
  const visit = async (path: string[]): Promise<number> => {
    const { commands, options } = await helped(path);
    assert.ok(options.includes("--help"), path.join(" "));
    assert.deepEqual((await proposed(...path, "--")).sort(), [...options].sort());
    if (commands.length > 0) assert.deepEqual((await proposed(...path, "")).sort(), [...commands, ...options].sort());
    let visited = 1;
    for (const command of commands) visited += await visit([...path, command]);
    return visited;
  };
  assert.ok((await visit([])) > 15);
});

test("bash completes what is begun, choices, and names of files with spaces", async () => {
  assert.deepEqual(await proposed("tr"), ["trust"]);
  assert.deepEqual(await proposed("trust", "pin-"), ["pin-from", "pin-block", "pin-contract", "pin-vault"]);
  assert.deepEqual(await proposed("explain", "json"), ["json_malformed", "json"]);
  assert.deepEqual(await proposed("completion", ""), ["bash", "zsh", "fish", "--help"]);
  assert.deepEqual(await proposed("trust", "add", "--require", "a"), ["anchored"]);
  assert.deepEqual(await proposed("trust", "add", "--name", ""), []);
  assert.deepEqual(await proposed("trust", "add", "--name", "list", "--sig"), []);
  assert.deepEqual(await proposed("receipts", "verify", "--file", "exports/"), ["exports/april 2026.json"]);
  assert.deepEqual(await proposed("trust", "remember", "exports/a"), ["exports/april 2026.json"]);
  assert.deepEqual(await proposed("nothing", ""), await proposed(""));
});

test("bash registers it", async () => {
  const script = put("svc.bash", (await completion("bash")).stdout);
  const outcome = await runProcess("bash", ["-c", `source ${script}; complete -p svc`]);
  assert.equal(outcome.stdout, "complete -F _svc svc\n");
});

for (const shell of ["zsh", "fish"] as const) {
  const isThere = spawnSync(shell, ["--version"], { env: { PATH: outerPath() } }).status === 0;
  test(`${shell} reads its script`, {
    skip: isThere ? false : `${shell} is not installed: its script is NOT RUN`,
  }, async () => {
    const script = put(`svc.${shell}`, (await completion(shell)).stdout);
    const syntax = await runProcess(shell, ["-n", script]);
    assert.deepEqual([syntax.code, syntax.stderr], [0, ""]);
  });
}

test("fish proposes commands, choices and files", async (t) => {
  if (spawnSync("fish", ["--version"], { env: { PATH: outerPath() } }).status !== 0)
    return t.skip("fish is not installed");
  const script = put("svc.fish", (await completion("fish")).stdout);
  const asked = async (line: string) => {
    const { stdout } = await runProcess("fish", ["--no-config", "-c", `source ${script}; complete -C '${line}'`], {
      env: { HOME: FOLDER },
    });
    return stdout.split("\n").flatMap((each) => (each === "" ? [] : [each.split("\t")[0]]));
  };
  assert.deepEqual(await asked("svc tr"), ["trust"]);
  assert.deepEqual(await asked("svc trust add --require a"), ["anchored"]);
  assert.ok((await asked("svc trust remember exports/a")).some((name) => name?.includes("april")));
});

test("the scripts of zsh and fish name every command and option", async () => {
  const paths: string[][] = [];
  const gather = async (path: string[]): Promise<void> => {
    paths.push(path);
    for (const command of (await helped(path)).commands) await gather([...path, command]);
  };
  await gather([]);
  const zsh = (await completion("zsh")).stdout;
  const fish = (await completion("fish")).stdout;
  for (const path of paths) {
    const words = ["svc", ...path].join(" ");
    const own = zsh.split("\n").find((line) => line.startsWith(`    "${words}") `) && line.includes("described=("));
    const { commands, options } = await helped(path);
    for (const word of [...commands, ...options]) assert.ok(own?.includes(`'${word}:`), `zsh: ${words} ${word}`);
    for (const option of options)
      assert.ok(fish.includes(`'__svc_at \\'${words}\\'' -l ${option.slice(2)}`), `fish: ${words} ${option}`);
  }
});

test("an unknown shell is refused", async () => {
  const outcome = await svc(["completion", "tcsh"]);
  assert.equal(outcome.code, 64);
  assert.match(outcome.stderr, /choices are bash, zsh, fish/);
});
