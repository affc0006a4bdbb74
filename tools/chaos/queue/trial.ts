/**
 * One stream, one spool, and everything that must hold after each end of the program or of the server: no event in the
 * spool is lost or doubled, and they keep the order in which they were given.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Program, Running } from "../program.ts";
import type { Seeded } from "../seeded.ts";
import { must } from "../violation.ts";
import type { Queueing, Said } from "./queueing.ts";
import type { UnreliableProxy } from "./unreliable-proxy.ts";

const MAX_EVENTS = 60;
const DEFAULT_PATIENCE_MS = 60_000;
/** The program is killed at most so long after its first event is in the spool. */
const MAX_LIFE_MS = 250;

/** The processes that end in a round; nothing: the program ends by itself, when all of its events have receipts. */
export type Ends = "program" | "server" | "both" | "nothing";

export interface TrialContext {
  readonly program: Program;
  readonly random: Seeded;
  readonly proxy: UnreliableProxy;
  readonly dataFolder: string;
  readonly apiKey: string;
  readonly streamId: string;
  /** The folder of the spool and of the built program. */
  readonly folder: string;
  /** The words that run a queueing program, in turn: each is given the spool of the one before. */
  readonly queueing: readonly (readonly string[])[];
  /** How long the receipts of a round may take, and the end of a program; by default a minute. */
  readonly patienceMs?: number;
}

interface Told {
  readonly seqNo: number;
  readonly eventHash: string;
}

export class Trial {
  readonly #context: TrialContext;
  #running: Running;
  /** The number of events that were given, and of those that are in the spool. */
  #given = 0;
  readonly #spooled = new Set<number>();
  #child: ChildProcess | null = null;
  #starts = 0;
  readonly #told = new Map<number, Told>();
  receiptsToldAgain = 0;

  constructor(context: TrialContext, running: Running) {
    this.#context = context;
    this.#running = running;
    context.proxy.target = running.url;
    // No process outlives its parent.
    process.once("exit", () => this.end());
  }

  get spooled(): number {
    return this.#spooled.size;
  }

  async round(ends: Ends): Promise<void> {
    const { random, proxy } = this.#context;
    const from = this.#given + 1;
    this.#given += random.whole(1, MAX_EVENTS);
    const life = this.#start({ from, to: this.#given });
    // It may end by itself before it is killed.
    await Promise.race([life.begun, life.ended]);
    if (ends === "nothing") {
      await this.#within("all receipts", life.ended);
      must(life.isFlushed(), `the program ended without its receipts: ${life.errors()}`);
      await proxy.settled();
      await this.#check();
      return;
    }
    await pause(random.number() * MAX_LIFE_MS);
    if (ends === "program" || ends === "both") life.child.kill("SIGKILL");
    if (ends === "server" || ends === "both") await this.#restartServer();
    if (ends === "server") {
      await pause(random.number() * MAX_LIFE_MS);
      life.child.kill("SIGKILL");
    }
    const code = await this.#within("the end of the program", life.ended);
    must(code === null || life.isFlushed(), `the program ended with ${code}: ${life.errors()}`);
  }

  /** Lets all waiting events arrive, without mishaps, and checks the whole stream. */
  async finish(): Promise<void> {
    this.#context.proxy.percent = 0;
    await this.round("nothing");
    this.#running.kill("SIGTERM");
    await this.#running.ended;
  }

  /** Kills the program, if it still runs: its parent would wait for it. */
  end(): void {
    this.#child?.kill("SIGKILL");
  }

  async #within<Value>(what: string, work: Promise<Value>): Promise<Value> {
    const { patienceMs = DEFAULT_PATIENCE_MS } = this.#context;
    const clock = new AbortController();
    const late = Symbol("late");
    const first = await Promise.race([work, pause(patienceMs, late, { signal: clock.signal })]);
    clock.abort();
    must(first !== late, `${what} did not come within ${patienceMs} ms`);
    return first as Value;
  }

  async #restartServer(): Promise<void> {
    const { program, dataFolder, proxy } = this.#context;
    this.#running.kill("SIGKILL");
    await this.#running.ended;
    this.#running = await program.mustStart(dataFolder);
    proxy.target = this.#running.url;
  }

  #start(numbers: Pick<Queueing, "from" | "to">) {
    const { proxy, apiKey, streamId, folder, queueing } = this.#context;
    const [name = "", ...words] = queueing[this.#starts++ % queueing.length] ?? [];
    const given: Queueing = { url: proxy.url, apiKey, streamId, folder: join(folder, "spool"), ...numbers };
    const child: ChildProcess = spawn(name, [...words, JSON.stringify(given)], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env.PATH ?? "", NODE_COMPILE_CACHE: join(folder, "cache") },
    });
    this.#child = child;
    let [errors, isFlushed] = ["", false];
    child.stderr?.on("data", (piece) => {
      errors += piece;
    });
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    const begun = once(lines, "line");
    lines.on("line", (line) => {
      const said = JSON.parse(line) as Said;
      if ("spooled" in said) this.#spooled.add(said.spooled);
      else if ("flushed" in said) isFlushed = true;
      else this.#take(said.receipt);
    });
    const ended = once(child, "close").then(([code]) => code as number | null);
    return { child, begun, ended, isFlushed: () => isFlushed, errors: () => errors };
  }

  #take({ source_ref, seq_no, event_hash }: { source_ref: string; seq_no: number; event_hash: string }): void {
    const number = numberOf(source_ref);
    const before = this.#told.get(number);
    if (before !== undefined) {
      must(before.eventHash === event_hash, `event ${number} got two receipts: ${before.seqNo} and ${seq_no}`);
      this.receiptsToldAgain += 1;
    }
    this.#told.set(number, { seqNo: seq_no, eventHash: event_hash });
  }

  /** All events of the spool are in the stream, once, in order; and `onReceipts` got their receipts. */
  async #check(): Promise<void> {
    let previous = 0;
    const found = new Set<number>();
    for await (const { source_ref, seq_no, event_hash } of this.#events()) {
      const number = numberOf(source_ref);
      must(number > previous, `event ${number} is behind event ${previous} in the stream`);
      must(number <= this.#given, `event ${number} was recorded, and nobody gave it`);
      const told = this.#told.get(number);
      must(told !== undefined, `event ${number} was recorded, and its receipt was never told`);
      must(
        told.eventHash === event_hash && told.seqNo === seq_no,
        `event ${number} has another receipt than the client got`,
      );
      previous = number;
      found.add(number);
    }
    for (const number of this.#spooled) must(found.has(number), `event ${number} was in the spool, and is lost`);
    must(found.size === this.#told.size, `${found.size} events are in the stream, with ${this.#told.size} receipts`);
  }

  async *#events(): AsyncGenerator<{ source_ref: string; seq_no: number; event_hash: string }> {
    const { apiKey, streamId } = this.#context;
    for (let cursor = ""; ; ) {
      const path = `/v2/streams/${streamId}/events?limit=500${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
      const answer = await fetch(this.#running.url + path, { headers: { authorization: `Bearer ${apiKey}` } });
      must(answer.status === 200, `the events of the stream cannot be read: ${answer.status}`);
      const { items, next_cursor } = (await answer.json()) as { items: []; next_cursor: string | null };
      yield* items;
      if (next_cursor === null) return;
      cursor = next_cursor;
    }
  }
}

/** Builds the queueing program into a folder, and resolves to the words that run it. */
export async function buildQueueing(folder: string): Promise<readonly string[]> {
  const outfile = join(folder, "queueing.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("queueing.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    logLevel: "warning",
  });
  return [process.execPath, outfile];
}

function numberOf(sourceRef: string): number {
  return Number(sourceRef.replace("reading-", ""));
}
