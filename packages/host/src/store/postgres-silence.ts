/**
 * Notices servers and connections that have fallen silent: a machine that hangs, a network that drops what is sent, a
 * firewall that has forgotten a connection. Nothing tells of it, and the system would wait for a quarter of an hour. So
 * a connection whose server has sent nothing for some seconds, though something was asked of it, has its server asked
 * on a new one: for a sign of life, and for what the process of the silent connection does. One that works on its
 * statement may go on.
 */
import { within } from "./postgres-commit.ts";
import { addressOf, Connection, type Target } from "./postgres-connection.ts";
import { NoConnectionLeft } from "./postgres-fault.ts";

const LOOK_MS = 1_000;
/** A server that is silent for so long is asked for a sign of life, and for so long it is waited for that. */
const SILENT_MS = 3_000;
const SIGN_MS = 4_000;
/** A transaction whose process is not known cannot be asked for: it has not begun, or a pooler has none free. */
const UNKNOWN_MS = 10_000;

/** Asks for the states of the processes of the same user; null where the server hides it. */
const ACTIVITY = "SELECT pid, state FROM pg_stat_activity WHERE usename = current_user";
/** The states of a process that works, or that does not say. */
const WORKS: readonly (string | null)[] = ["active", "fastpath function call", "disabled", null];

/** The watch over connections. */
export class Silence {
  readonly #connections = new Set<Connection>();
  readonly #asking = new Set<string>();
  readonly #onSilent: (address: string) => void;
  #timer: NodeJS.Timeout | null = null;

  /** `onSilent`: gets the address of a server that gives no sign; its connections are cut already. */
  constructor(onSilent: (address: string) => void) {
    this.#onSilent = onSilent;
  }

  /** Watches a connection until it is forgotten. */
  watch(connection: Connection): void {
    this.#connections.add(connection);
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
  }

  forget(connection: Connection): void {
    this.#connections.delete(connection);
    if (this.#connections.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #look(): void {
    const silent = this.#silent();
    for (const [address, [first]] of Map.groupBy(silent, (one) => one.address))
      if (first !== undefined && !this.#asking.has(address)) {
        this.#asking.add(address);
        void this.#ask(first.target).finally(() => this.#asking.delete(address));
      }
  }

  /** Asks a server for a sign, and cuts the connections that no answer will come from. */
  async #ask(target: Target): Promise<void> {
    const address = addressOf(target);
    const begin = performance.now() - SILENT_MS;
    for (const one of this.#at(address)) one.silentMs();
    const states = await signOf(target).catch((error: unknown) => (error instanceof NoConnectionLeft ? "full" : null));
    // That is a sign too. Nobody can ask what the silent process does, so its answer is waited for (ANSWER_MS).
    if (states === "full") return;
    if (states === null) {
      // A pooler that has no connection free still answers on others.
      if (this.#at(address).some((one) => one.hasSignSince(begin))) return;
      for (const one of this.#at(address)) one.cut();
      this.#onSilent(address);
      return;
    }
    for (const one of this.#silent()) if (one.address === address && !mayAnswer(one, states)) one.cut();
  }

  #silent(): Connection[] {
    return [...this.#connections].filter((one) => one.silentMs() >= SILENT_MS);
  }

  #at(address: string): Connection[] {
    return [...this.#connections].filter((one) => one.address === address);
  }
}

/** Resolves to the state of each process, by its number. Rejects if there is no answer in time. */
async function signOf(target: Target): Promise<ReadonlyMap<number, string | null>> {
  const connection = await Connection.open(target);
  try {
    const { rows } = await within(SIGN_MS, connection.query<{ pid: number; state: string | null }>(ACTIVITY));
    return new Map(rows.map(({ pid, state }) => [pid, state]));
  } finally {
    connection.cut();
  }
}

function mayAnswer(connection: Connection, states: ReadonlyMap<number, string | null>): boolean {
  if (connection.processId === null) return connection.silentMs() < UNKNOWN_MS;
  const state = states.get(connection.processId);
  return state !== undefined && WORKS.includes(state);
}
