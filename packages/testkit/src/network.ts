/** A network that fails as told: a proxy for TCP in the test's process, between a client and a server. */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { freePort } from "./free-port.ts";
import { atLast, type Lifetime } from "./lifetime.ts";

/** So much may wait in one direction of a connection before its sender has to wait. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** A proxy, and what it does to the connections through it. */
export interface Proxy {
  readonly host: string;
  readonly port: number;
  /** Returns a URL of the server with the proxy's host and port. */
  through(url: string): string;
  /** The open connections. */
  readonly open: number;
  /** The bytes that it has read, and not passed on yet, because they are held or delayed. */
  readonly waitingBytes: number;
  /** Resets all open connections, to both sides. */
  cut(): void;
  /** Has new connections refused, or no more; open ones stay. Resolves when it is so. */
  refuse(on: boolean): Promise<void>;
  /** Delays each chunk, in both directions, from now on. */
  delay(ms: number): void;
  /** Lets no byte pass, and takes connections and bytes as the system of a peer does that sleeps. */
  hold(): void;
  /** Lets what was held pass, in its order. */
  release(): void;
  /** Passes nothing more on the open connections, as a firewall that has forgotten them; new ones are as ever. */
  forget(): void;
  /**
   * Waits for a matching chunk of a client, lets it pass, and drops all that the server sends on that connection from
   * then on; cuts the connection once the server has answered. Resolves then: the server has done what the client asked
   * for, and the client never learns it. `isAnswer` tells the answer from what the server still sends before it.
   * Rejects if the server ends the connection without an answer.
   */
  swallow(match: Match, isAnswer?: Match): Promise<void>;
  /**
   * Waits for a matching chunk of a client, and cuts its connection before the chunk reaches the server. Resolves then:
   * to the client it looks like an answer that was swallowed.
   */
  lose(match: Match): Promise<void>;
}

/** Says whether a chunk of bytes is the one. A chunk is what one read returned: a short message is in one. */
export type Match = (chunk: Buffer) => boolean;

interface Trap {
  readonly match: Match;
  readonly spring: (connection: Connection) => "pass" | "drop";
}

/**
 * Starts a proxy on a free port of the loopback interface, until the end of the test. The target is read anew for each
 * connection.
 */
export async function startProxy(
  t: Lifetime,
  target: { readonly host: string; readonly port: number },
): Promise<Proxy> {
  const host = "127.0.0.1";
  const port = await freePort();
  const network = new Network();
  const connections = new Set<Connection>();
  const traps: Trap[] = [];

  const onClient = (client: Socket) => {
    const server = connect({ host: target.host, port: target.port, allowHalfOpen: true });
    const connection = new Connection(client, server, network, traps);
    connections.add(connection);
    client.on("close", () => connections.delete(connection));
  };
  const listen = async () => {
    const listener = createServer({ allowHalfOpen: true }, onClient).listen(port, host);
    await once(listener, "listening");
    return listener;
  };
  const cut = () => {
    for (const connection of connections) connection.cut();
  };
  let listener: Server | null = await listen();
  atLast(t, () => {
    listener?.close();
    cut();
  });

  return {
    host,
    port,
    through: (url) => {
      const at = new URL(url);
      at.host = `${host}:${port}`;
      return at.href;
    },
    get open() {
      return connections.size;
    },
    get waitingBytes() {
      return network.waitingBytes;
    },
    cut,
    refuse: async (on) => {
      if (on) {
        listener?.close();
        listener = null;
      } else listener ??= await listen();
    },
    delay: (ms) => {
      network.delayMs = ms;
    },
    hold: () => {
      network.isHeld = true;
    },
    release: () => network.release(),
    forget: () => {
      for (const connection of connections) connection.isForgotten = true;
    },
    swallow: (match, isAnswer = () => true) =>
      new Promise((resolve, reject) => {
        traps.push({
          match,
          spring: (connection) => {
            connection.swallowUntil(isAnswer, resolve, reject);
            return "pass";
          },
        });
      }),
    lose: (match) =>
      new Promise((resolve) => {
        traps.push({
          match,
          spring: (connection) => {
            connection.cut();
            resolve();
            return "drop";
          },
        });
      }),
  };
}

/**
 * Resets a connection. One that has begun to end is closed instead: the system refuses to reset it then, Node keeps its
 * handle all the same, and at its exit waits for that for ever, at work all the time.
 */
export function resetConnection(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

/** How all connections of a proxy are treated. */
class Network {
  delayMs = 0;
  isHeld = false;
  waitingBytes = 0;
  readonly #held: (() => void)[] = [];

  /** Calls back once the bytes are released. */
  onRelease(work: () => void): void {
    this.#held.push(work);
  }

  release(): void {
    this.isHeld = false;
    for (const work of this.#held.splice(0)) work();
  }
}

/** A client's connection and the one to the server behind it. */
class Connection {
  isForgotten = false;
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #traps: Trap[];
  #answered: ((chunk: Buffer) => void) | null = null;
  #unanswered: () => void = () => undefined;

  constructor(client: Socket, server: Socket, network: Network, traps: Trap[]) {
    this.#client = client;
    this.#server = server;
    this.#traps = traps;
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on("close", () => this.#unanswered());
    }
    passOn(client, server, network, (chunk) => this.#fromClient(chunk));
    passOn(server, client, network, (chunk) => this.#fromServer(chunk));
  }

  cut(): void {
    resetConnection(this.#client);
    resetConnection(this.#server);
  }

  swallowUntil(isAnswer: Match, resolve: () => void, reject: (error: Error) => void): void {
    this.#unanswered = () => reject(new Error("the connection ended before the server answered"));
    this.#answered = (chunk) => {
      if (!isAnswer(chunk)) return;
      resolve();
      this.cut();
    };
  }

  /** Says whether the chunk passes. */
  #fromClient(chunk: Buffer): boolean {
    if (this.isForgotten) return false;
    const index = this.#traps.findIndex(({ match }) => match(chunk));
    const [trap] = index < 0 ? [] : this.#traps.splice(index, 1);
    return trap?.spring(this) !== "drop";
  }

  #fromServer(chunk: Buffer): boolean {
    if (this.isForgotten) return false;
    this.#answered?.(chunk);
    return this.#answered === null;
  }
}

/** An act of one side: it sends bytes, ends its direction, or resets the connection. */
type Act = Buffer | "end" | "reset";

/** Passes on what one side does, in its order, each act after its delay and when none is held. */
function passOn(from: Socket, to: Socket, network: Network, passes: Match): void {
  const queue: { readonly act: Act; readonly dueMs: number }[] = [];
  let waitingBytes = 0;
  let isBusy = false;

  const work = () => {
    for (;;) {
      const first = queue[0];
      isBusy = first !== undefined;
      if (first === undefined) return;
      const remainingMs = first.dueMs - performance.now();
      if (remainingMs > 0) {
        setTimeout(work, Math.ceil(remainingMs));
        return;
      }
      if (network.isHeld) {
        network.onRelease(work);
        return;
      }
      queue.shift();
      count(first.act, -1);
      if (!carryOut(first.act)) {
        to.once("drain", work);
        return;
      }
    }
  };
  /** Says whether the next act may follow at once. */
  const carryOut = (act: Act): boolean => {
    if (to.destroyed) return true;
    if (act === "end") to.end();
    else if (act === "reset") resetConnection(to);
    else return !passes(act) || to.write(act);
    return true;
  };
  const count = (act: Act, sign: 1 | -1) => {
    if (typeof act === "string") return;
    waitingBytes += sign * act.length;
    network.waitingBytes += sign * act.length;
    if (waitingBytes >= MAX_WAITING_BYTES) from.pause();
    else from.resume();
  };
  const add = (act: Act) => {
    queue.push({ act, dueMs: performance.now() + network.delayMs });
    count(act, 1);
    if (!isBusy) work();
  };
  from.on("data", add);
  from.on("end", () => add("end"));
  from.on("error", () => add("reset"));
}
