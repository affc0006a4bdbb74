/**
 * One connection to a PostgreSQL server, or to a pooler in front of it. It keeps no state on which a transaction
 * depends, and knows how long the server has been silent.
 */
import pg from "pg";
import { parse } from "pg-connection-string";
import { throwFault } from "./postgres-fault.ts";

/** How long a connection may take to be opened. */
const CONNECT_MS = 5_000;
/** After so long without anything to send or receive, the system asks each second whether the other side is there. */
const KEEP_ALIVE_MS = 10_000;
/** Numbers that need 64 bits (oid 20), and those without bounds (oid 1700), which sums have: all of ours are exact. */
const NUMBERS: readonly number[] = [20, 1700];

/** A host, and how to connect to it. */
export type Target = pg.ClientConfig;

/** Returns the address of a target. */
export const addressOf = ({ host, port }: Target): string => `${host}:${port}`;

/** An open connection. */
export class Connection {
  readonly target: Target;
  readonly openedAt: number = performance.now();
  /** The process of the server that runs its transaction; null while that is not known. */
  processId: number | null = null;
  /** Whether that process is the connection's own: a pooler gives its clients its own numbers. */
  isOwn = false;
  readonly #client: pg.Client;
  #unanswered = 0;
  /** The number of bytes that had come when it was last looked at, and the time of the last sign of the server. */
  #received = 0;
  #signAt = 0;
  /** The time of the last answer. */
  #answeredAt = 0;

  private constructor(client: pg.Client, target: Target) {
    this.#client = client;
    this.target = target;
  }

  /** Opens one. Rejects with the meaning of what fails. */
  static async open(target: Target): Promise<Connection> {
    const client = new pg.Client(target);
    // A connection that fails while nobody asks anything of it says so once more in the next query.
    client.on("error", () => undefined);
    // Statements of one transaction need not wait for each other's answers on their way.
    (client as unknown as { pipeline: boolean }).pipeline = true;
    await client.connect().catch(throwFault);
    return new Connection(client, target);
  }

  get address(): string {
    return addressOf(this.target);
  }

  /** Runs one statement, or several in a text without parameters. Rejects with the driver's errors. */
  async query<Row extends pg.QueryResultRow>(query: string | pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    if (this.#unanswered === 0) this.#signAt = performance.now();
    this.#unanswered += 1;
    try {
      const answer = await this.#client.query<Row>(query as pg.QueryConfig);
      this.#answeredAt = performance.now();
      return answer;
    } finally {
      this.#unanswered -= 1;
      this.#signAt = performance.now();
    }
  }

  /** Runs several statements in one message. Resolves to the answer of each. */
  async queries(text: string): Promise<pg.QueryResult[]> {
    return [await this.query(text)].flat();
  }

  /** Looks for what has come since the last look. Returns for how long nothing has, while an answer is due, in ms. */
  silentMs(): number {
    const { bytesRead } = this.#stream;
    const now = performance.now();
    if (this.#unanswered === 0 || bytesRead !== this.#received) this.#signAt = now;
    this.#received = bytesRead;
    return now - this.#signAt;
  }

  /** Looks for what has come. Returns whether the server has sent anything since a time, of `performance.now()`. */
  hasSignSince(time: number): boolean {
    const isNew = this.#stream.bytesRead !== this.#received;
    this.silentMs();
    return isNew || this.#answeredAt > time;
  }

  /** Notes which process runs its transaction. */
  noteProcess(id: number): void {
    this.processId = id;
    this.isOwn = (this.#client as unknown as { processID: unknown }).processID === id;
  }

  /** Calls a listener for each message that the server sends beside its answers. Returns what ends that. */
  onNotice(listener: (notice: { severity?: string | undefined; message?: string | undefined }) => void): () => void {
    this.#client.on("notice", listener);
    return () => this.#client.off("notice", listener);
  }

  /** Calls a listener when the connection fails. */
  onError(listener: () => void): void {
    this.#client.on("error", listener);
  }

  /** Ends it in an orderly way. */
  end(): Promise<void> {
    return this.#client.end().catch(() => undefined);
  }

  /** Ends it without waiting for the server. Statements that wait for an answer fail at once. */
  cut(): void {
    this.#stream.destroy();
    this.#client.end().catch(() => undefined);
  }

  get #stream(): { readonly bytesRead: number; destroy(): void } {
    return (this.#client as unknown as { connection: { stream: { bytesRead: number; destroy(): void } } }).connection
      .stream;
  }
}

/** Returns the ways to connect, one for each host of a URL. Throws Error for a text that is no such URL. */
export function targetsOf(url: string): Target[] {
  const [, start, hosts, rest] = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url) ?? [];
  if (start === undefined || hosts === undefined) throw new Error("it does not begin with postgres://");
  return hosts.split(",").map((host) => {
    const { host: name, port, user, password, database, ssl } = parse(`${start}${host}${rest}`);
    if (!name || !user || !database) throw new Error("it does not name host, user and database");
    return {
      host: name,
      port: port ? Number(port) : 5432,
      user,
      password: password ?? "",
      database,
      // The parser of URLs has the type of the driver's own options here, and it is as wide as possible.
      ssl: ssl as Target["ssl"],
      application_name: "svc-server",
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      connectionTimeoutMillis: CONNECT_MS,
      types: { getTypeParser: parserOf as never },
    };
  });
}

const asNumber = (text: string) => Number(text);

function parserOf(oid: number, format: "text" | "binary" = "text"): unknown {
  return NUMBERS.includes(oid) && format === "text" ? asNumber : pg.types.getTypeParser(oid, format as "text");
}
