/** The built program `svc-platform` as a child process. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { TestContext } from "node:test";
import { platformProgram } from "@svc/testkit/built";
import { environmentOf } from "@svc/testkit/server/folder-database";

type Variables = Readonly<Record<string, string>>;

/** Starts the program with some words, until its test ends. */
async function spawned(
  t: TestContext,
  folder: string,
  words: readonly string[],
  variables: Variables,
): Promise<ChildProcessByStdio<null, Readable, Readable>> {
  const env = {
    PATH: process.env.PATH ?? "",
    SVC_LOG_LEVEL: "error",
    SVC_DATA: folder,
    ...(await environmentOf(folder)),
    ...variables,
  };
  const child = spawn(process.execPath, [await platformProgram(), ...words], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.after(() => child.kill("SIGKILL"));
  return child;
}

/** Runs a command to its end. */
export async function ran(t: TestContext, folder: string, words: readonly string[], variables: Variables = {}) {
  const child = await spawned(t, folder, words, variables);
  const said = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (piece) => {
    said.out += piece;
  });
  child.stderr.setEncoding("utf8").on("data", (piece) => {
    said.err += piece;
  });
  const [code] = await once(child, "close");
  return { code, ...said };
}

/** Starts the server, and resolves to what it says when it listens, and to its end by SIGTERM. */
export async function listening(t: TestContext, folder: string, variables: Variables = {}) {
  const child = await spawned(t, folder, ["start", "--json", "--port", "0"], variables);
  child.stderr.pipe(process.stderr);
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { url } = JSON.parse(line) as { readonly url: string };
  const end = async () => {
    child.kill("SIGTERM");
    return (await once(child, "exit")) as [number | null, string | null];
  };
  return { url, end };
}
