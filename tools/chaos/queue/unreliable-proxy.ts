/**
 * A proxy between a program and its service that treats requests and answers as networks do: it drops, cuts, delays,
 * repeats and reorders them, and answers in the service's place. A seed decides which.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Seeded } from "../seeded.ts";

/** The mishaps of one request. */
export const MISHAPS = [
  "dropped before it came",
  "answer dropped",
  "answer cut",
  "answer delayed",
  "sent twice",
  "comes late",
  "answered with an older answer",
  "answered with a page",
  "answered with 503",
] as const;
export type Mishap = (typeof MISHAPS)[number];

/** Longer than clients wait. */
const [MIN_LATE_MS, MAX_LATE_MS] = [170, 600];

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export class UnreliableProxy {
  readonly #server: Server;
  readonly #random: Seeded;
  readonly counts = new Map<Mishap, number>();
  /** The service's current address. */
  target = "";
  /** How many requests of a hundred meet a mishap. */
  percent = 0;
  #older: Answered | null = null;
  /** The mishaps that are still to come before any comes again. */
  #deck: Mishap[] = [];
  /** Late requests that are still under way. */
  readonly #late = new Set<Promise<unknown>>();

  private constructor(random: Seeded) {
    this.#random = random;
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch(() => response.destroy());
    });
  }

  static async start(random: Seeded): Promise<UnreliableProxy> {
    const proxy = new UnreliableProxy(random);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when all delayed requests have arrived. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#late]);
  }

  async close(): Promise<void> {
    await this.settled();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces);
    const mishap = this.#random.number() * 100 < this.percent ? this.#nextMishap() : null;
    if (mishap !== null) this.counts.set(mishap, (this.counts.get(mishap) ?? 0) + 1);
    const forward = () => this.#forward(request, body);
    switch (mishap) {
      case "dropped before it came":
        response.destroy();
        return;
      case "answered with a page":
        response.writeHead(200, { "content-type": "text/html" }).end("<html>back soon</html>");
        return;
      case "answered with 503":
        response.writeHead(503, { "content-type": "text/html" }).end("<html>no upstream</html>");
        return;
      case "answered with an older answer":
        return send(response, this.#older ?? (await forward()));
      case "comes late": {
        response.destroy();
        this.#keep(pause(this.#lateMs()).then(forward));
        return;
      }
      case "answer delayed": {
        const answer = await forward();
        await pause(this.#lateMs());
        return send(response, answer);
      }
      case "sent twice": {
        const [first, second] = await Promise.all([forward(), forward()]);
        return send(response, this.#random.pick([first, second]));
      }
      case "answer dropped":
        await forward();
        response.destroy();
        return;
      case "answer cut": {
        const { status, headers, body: whole } = await forward();
        response.writeHead(status, { ...headers, "content-length": whole.length });
        response.write(whole.subarray(0, whole.length / 2), () => response.destroy());
        return;
      }
      case null: {
        const answer = await forward();
        this.#older = answer;
        return send(response, answer);
      }
    }
  }

  async #forward({ url = "/", method = "GET", headers }: IncomingMessage, body: Buffer): Promise<Answered> {
    const kept = ["authorization", "content-type", "idempotency-key", "accept"].flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value] as [string, string]] : [];
    });
    const answer = await fetch(this.target + url, { method, headers: kept, ...(body.length === 0 ? {} : { body }) });
    const key = answer.headers.get("idempotency-key");
    return {
      status: answer.status,
      headers: { "content-type": "application/json", ...(key !== null && { "idempotency-key": key }) },
      body: Buffer.from(await answer.arrayBuffer()),
    };
  }

  /** Returns each as often as the others, in an order from the seed. */
  #nextMishap(): Mishap {
    if (this.#deck.length === 0) this.#deck = [...MISHAPS];
    const mishap = this.#random.pick(this.#deck);
    this.#deck.splice(this.#deck.indexOf(mishap), 1);
    return mishap;
  }

  #lateMs(): number {
    return this.#random.whole(MIN_LATE_MS, MAX_LATE_MS);
  }

  #keep(late: Promise<unknown>): void {
    this.#late.add(late);
    late.catch(() => undefined).finally(() => this.#late.delete(late));
  }
}

function send(response: ServerResponse, { status, headers, body }: Answered): void {
  response.writeHead(status, { ...headers, "content-length": body.length }).end(body);
}
