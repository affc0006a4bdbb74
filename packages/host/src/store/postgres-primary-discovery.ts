/**
 * Whether what a primary shows is believed. Rows that no synchronous standby has are lost if that is promoted, and a
 * client that had read them would hold evidence of a fork. A running primary hides a commit until its standbys have it,
 * but a restarted one shows all that is in its log, and so does one whose waiting commit is cancelled or ended. So each
 * transaction asks the process of the server that runs it whether that is a server which is known, and for the commits
 * that it sees and that are not confirmed yet. It waits for a commit that the standbys have, and that is newer.
 *
 * That commit changes nothing and needs no right on the server. There is one at a time for all that wait.
 */
import { StoreUnavailable } from "./database.ts";
import { COMMITS, SERVING, type Serving, type View, viewSince } from "./postgres-backend.ts";
import { commit, within } from "./postgres-commit.ts";
import { addressOf, Connection, type Target } from "./postgres-connection.ts";
import { throwFault } from "./postgres-fault.ts";

/** How long a transaction waits, and how long the standbys are waited for before a new attempt. */
const BELIEVED_MS = 5_000;
const ASKED_MS = 30_000;
/** Confirmed commits are deleted together, so long after the first. */
const DELETED_MS = 200;
/** The most confirmed commits of a server that are remembered: older transactions see them after their deletion. */
const MAX_CONFIRMED = 10_000;
/** The most servers that are remembered. A restarted one is another. */
const MAX_SERVERS = 8;

/** A commit that changes nothing, and is in the log. */
const ASK = `BEGIN READ WRITE; SELECT ${SERVING}; SELECT pg_logical_emit_message(true, 'svc', ''); COMMIT`;
/** Deletes commits of a server, and waits for no standby: one that a promotion brings back is deleted again. */
const deletionOf = (server: string, numbers: readonly number[]) =>
  `BEGIN READ WRITE; SET LOCAL synchronous_commit = local;
   DELETE FROM ${COMMITS} WHERE number IN (${numbers.join(", ")}) AND '${server}' = (SELECT server FROM (SELECT ${SERVING}) AS own);
   COMMIT`;

/** The commit that is waited for at an address, and the one after it. */
interface Asking {
  readonly now: Promise<string>;
  next: Promise<string> | null;
}

/** Discovers the primary of a database: which server may be believed. */
export class PrimaryDiscovery {
  /** By its start: the commits of a server that its standbys are known to have, the newest last. */
  readonly #servers = new Map<string, Set<number>>();
  /** By its start: the number below which its standbys are known to have all commits. */
  readonly #since = new Map<string, number>();
  /** By address. */
  readonly #asking = new Map<string, Asking>();
  readonly #connections = new Map<string, Promise<Connection>>();
  /** By server: confirmed commits that are to be deleted. */
  readonly #due = new Map<string, number[]>();
  #isClosed = false;

  /** The columns of a query for View, in SQL. */
  get view(): string {
    return viewSince(this.#since);
  }

  /** Notes that the standbys have a commit of a server, by its number. */
  confirm({ server, keeps_commits }: Serving, number: number, target: Target): void {
    const confirmed = this.#servers.get(server);
    if (confirmed === undefined || !keeps_commits) return;
    confirmed.add(number);
    const [oldest = number] = confirmed;
    if (confirmed.size > MAX_CONFIRMED) confirmed.delete(oldest);
    const due = this.#due.get(server);
    if (due !== undefined) due.push(number);
    else {
      this.#due.set(server, [number]);
      setTimeout(() => void this.#delete(server, target).catch(() => undefined), DELETED_MS).unref();
    }
  }

  /** Rejects with StoreUnavailable unless the standbys have all that a transaction sees. */
  async require(view: View, target: Target): Promise<void> {
    if (!view.waits) return;
    const numbers = view.unconfirmed?.split(",").map(Number) ?? [];
    const confirmed = this.#servers.get(view.server);
    const isKnown = confirmed !== undefined && view.unconfirmed !== undefined;
    if (isKnown && numbers.every((number) => confirmed.has(number))) {
      this.#note(view);
      return;
    }
    try {
      const server = await within(BELIEVED_MS, this.#ask(target));
      if (server !== view.server) throw new Error("another server has answered");
    } catch (error) {
      throw new StoreUnavailable("the standbys of the database may not have all that it shows", { cause: error });
    }
    this.#know(view.server);
    for (const number of numbers) this.confirm(view, number, target);
    this.#note(view);
  }

  /** The standbys have all that this view shows, and what ended before it is in it. */
  #note({ server, oldest }: View): void {
    if (oldest === undefined || !this.#servers.has(server)) return;
    this.#since.set(server, Math.max(Number(oldest), this.#since.get(server) ?? 0));
  }

  /** Ends the wait at an address whose server has fallen silent. */
  doubt(address: string): void {
    this.#cut(address);
  }

  /** Ends the waits. */
  close(): void {
    this.#isClosed = true;
    for (const address of this.#connections.keys()) this.#cut(address);
  }

  #know(server: string): void {
    if (this.#servers.has(server)) return;
    this.#servers.set(server, new Set());
    const [oldest = server] = this.#servers.keys();
    if (this.#servers.size <= MAX_SERVERS) return;
    this.#servers.delete(oldest);
    this.#since.delete(oldest);
  }

  /** Resolves when a commit that begins after this call is on the standbys, to the start of the server that did it. */
  #ask(target: Target): Promise<string> {
    const address = addressOf(target);
    const asking = this.#asking.get(address);
    if (asking === undefined) return this.#begin(address, target);
    // The one that is waited for may have begun before what the caller has seen.
    asking.next ??= asking.now.catch(() => undefined).then(() => this.#begin(address, target));
    return asking.next;
  }

  #begin(address: string, target: Target): Promise<string> {
    const asking: Asking = { now: this.#commit(target), next: null };
    this.#asking.set(address, asking);
    const done = () => {
      if (asking.next === null) this.#asking.delete(address);
    };
    asking.now.then(done, done);
    return asking.now;
  }

  async #commit(target: Target): Promise<string> {
    const { answers, warning } = await this.#sent(target, ASK);
    if (warning !== null) throw new StoreUnavailable(warning);
    const serving: Serving | undefined = answers.at(1)?.rows[0];
    return serving?.server ?? "";
  }

  async #delete(server: string, target: Target): Promise<void> {
    const numbers = this.#due.get(server) ?? [];
    this.#due.delete(server);
    if (!this.#isClosed) await this.#sent(target, deletionOf(server, numbers));
  }

  /** Runs a transaction on the connection of a target. */
  async #sent(target: Target, sql: string): ReturnType<typeof commit> {
    const address = addressOf(target);
    try {
      return await commit(await this.#connected(target), sql, ASKED_MS).catch(throwFault);
    } catch (error) {
      this.#cut(address);
      throw error;
    }
  }

  #connected(target: Target): Promise<Connection> {
    const address = addressOf(target);
    const kept = this.#connections.get(address);
    if (kept !== undefined) return kept;
    const opening = Connection.open(target);
    this.#connections.set(address, opening);
    // Nobody may be asking anything when it fails.
    const forget = () => {
      if (this.#connections.get(address) === opening) this.#connections.delete(address);
    };
    opening.then((connection) => (this.#isClosed ? connection.cut() : connection.onError(forget)), forget);
    return opening;
  }

  #cut(address: string): void {
    const opening = this.#connections.get(address);
    this.#connections.delete(address);
    opening?.then(
      (connection) => connection.cut(),
      () => undefined,
    );
  }
}
