/**
 * Runs the examples: in a fresh folder, with `sh`, `curl`, and the program `svc-server`, all of them real. The
 * variables of an example stay for all later ones.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Example } from "./example.ts";

const MAIN = fileURLToPath(new URL("../../packages/server/src/main.ts", import.meta.url));
const DEADLINE_MS = 60_000;

/** The result of a command. */
export interface Shown {
  /** The status line of the last answer and its significant headers; empty without an answer. */
  readonly head: readonly string[];
  readonly status: number | null;
  /** The last answer's body, or the whole output of the command: parsed if it is JSON. */
  readonly body: unknown;
}

/** The headers on the page. All others are the same everywhere. */
const SAYING =
  /^(?:retry-after|www-authenticate|allow|preference-applied|location|etag|content-range|content-disposition|svc-access-id|svc-challenge):/i;

export class Shell {
  /** The folder in which all commands run. */
  readonly folder = mkdtempSync(join(tmpdir(), "svc-api-page-"));
  readonly #variables: Record<string, string> = {};
  readonly #servers: ChildProcess[] = [];

  /** `databases`: the URL of the PostgreSQL database of each data folder; without one, all have files. */
  constructor(databases: Readonly<Record<string, string>> = {}) {
    const programs = join(this.folder, ".bin");
    mkdirSync(programs);
    const words = [process.execPath, MAIN].map((word) => `'${word}'`).join(" ");
    const choices = Object.entries(databases).map(
      ([data, url]) => `*" --data ${data} "*) export SVC_DATABASE_URL='${url}' ;;\n`,
    );
    const choice = `case " $* " in\n${choices.join("")}esac\n`;
    writeFileSync(join(programs, "svc-server"), `#!/bin/sh\n${choice}exec ${words} "$@"\n`);
    chmodSync(join(programs, "svc-server"), 0o755);
    this.#variables.PATH = `${programs}${delimiter}${process.env.PATH ?? ""}`;
    // Neither a curlrc of this machine nor a proxy may affect the examples.
    this.#variables.CURL_HOME = programs;
    this.#variables.HOME = programs;
  }

  /** Runs an example. Throws if it does not show what it promises. */
  async run(example: Example): Promise<Shown> {
    const shown =
      example.serves === undefined ? read(await this.#output(example.command)) : await this.#serve(example.serves);
    if (shown.status !== (example.status ?? null))
      throw new Error(
        `${example.says} Its status is ${shown.status}, and ${example.status} was ` +
          `expected:\n${example.command}\n${JSON.stringify(shown.body)}`,
      );
    for (const [name, path] of Object.entries(example.keep ?? {})) this.#variables[name] = member(shown.body, path);
    return shown;
  }

  /** Stops the servers and deletes the folder. */
  async close(): Promise<void> {
    for (const server of this.#servers) {
      const closed = once(server, "close");
      if (server.kill("SIGTERM")) await closed;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #output(command: string): Promise<string> {
    const child = spawn("sh", ["-c", command], {
      cwd: this.folder,
      env: this.#variables,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: DEADLINE_MS,
    });
    const out: Buffer[] = [];
    const said: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
    const [code, signal] = await once(child, "close");
    if (code === 127)
      throw new Error(
        `A program that the examples need is missing: ${Buffer.concat(said)}They need curl 7.82 or newer; ` +
          `install it (Debian: apt-get install curl).`,
      );
    if (code !== 0)
      throw new Error(`This ended with ${code ?? signal}: ${command}\n${Buffer.concat(said)}${Buffer.concat(out)}`);
    return Buffer.concat(out).toString("utf8");
  }

  /**
   * The command is on the page as a reader types it; here the port is a free one, and the test waits for the server.
   */
  async #serve({ variable, data, settings }: NonNullable<Example["serves"]>): Promise<Shown> {
    const child = spawn("svc-server", ["start", "--data", data, "--port", "0", "--json"], {
      cwd: this.folder,
      env: { ...this.#variables, SVC_LOG_LEVEL: "silent", ...settings },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#servers.push(child);
    const lines = createInterface({ input: child.stdout });
    const first = await Promise.race([once(lines, "line"), once(child, "close")]);
    if (typeof first[0] !== "string") throw new Error(`svc-server start ended with exit code ${first[0]}`);
    const body = JSON.parse(first[0]) as { url: string };
    this.#variables[variable] = body.url;
    return { head: [], status: null, body };
  }
}

/** Reads the output of `curl -i`, and of several answers the last one; or the output of another program. */
function read(output: string): Shown {
  const starts = [...output.matchAll(/HTTP\/1\.1 (?!1\d\d)(\d{3}) [^\r\n]*\r\n/g)];
  const last = starts.at(-1);
  if (last === undefined) return { head: [], status: null, body: parsed(output) };
  const answer = output.slice(last.index);
  const end = answer.indexOf("\r\n\r\n");
  const [first = "", ...headers] = answer.slice(0, end).split("\r\n");
  return {
    head: [first, ...headers.filter((header) => SAYING.test(header))],
    status: Number(last[1]),
    body: parsed(answer.slice(end + 4)),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function member(value: unknown, path: string): string {
  const found = path.split(".").reduce<unknown>((inner, name) => (inner as Record<string, unknown>)?.[name], value);
  if (typeof found !== "string") throw new Error(`The answer has no text at ${path}: ${JSON.stringify(value)}`);
  return found;
}
