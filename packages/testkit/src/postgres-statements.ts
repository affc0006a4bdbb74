/** The statements that clients have run on a PostgreSQL server, by transaction, from the server's own log. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Postgres, Settings } from "./postgres.ts";
import { until } from "./until.ts";

/** The settings of a server that logs each statement, in files of its data folder: as JSON, one object a line. */
export const LOGS_STATEMENTS: Settings = {
  logging_collector: "on",
  log_destination: "jsonlog",
  log_directory: "log",
  log_filename: "statements",
  log_rotation_age: "0",
  log_rotation_size: "0",
  log_statement: "all",
};

/** A statement that ran. */
export interface Ran {
  readonly sql: string;
  /** The values of its placeholders, as the log has them; empty for none. */
  readonly values: string;
}

/** A line of the log, as far as it is read here. */
interface Line {
  readonly dbname?: string;
  readonly application_name?: string;
  readonly session_id?: string;
  /** The transaction within its session. */
  readonly vxid?: string;
  readonly message?: string;
  readonly detail?: string;
}

const STATEMENT = /^(?:statement|execute [^:]*): /;
const VALUES = /^[Pp]arameters: /;

/** The statements of one database on a server with `LOGS_STATEMENTS`. */
export class StatementLog {
  readonly #server: Postgres;
  readonly #database: string;
  #taken = 0;

  /** `url`: that of the database. */
  constructor(server: Postgres, url: string) {
    this.#server = server;
    this.#database = new URL(url).pathname.slice(1);
  }

  /**
   * Resolves to what the programs named `application` have run since the last call, transaction by transaction, in the
   * order in which they began. A transaction that is still open is divided between this call and the next.
   */
  async take(application: string): Promise<readonly (readonly Ran[])[]> {
    const mark = randomUUID();
    await this.#server.run(`SELECT '${mark}'`, this.#database);
    const lines = await until("the server has logged all", async () => {
      const all = this.#lines();
      const end = all.findIndex(({ message }) => message?.includes(mark));
      return end < 0 ? null : all.slice(0, end);
    });
    const transactions = new Map<string, Ran[]>();
    for (const { dbname, application_name, session_id, vxid, message = "", detail = "" } of lines.slice(this.#taken)) {
      if (dbname !== this.#database || application_name !== application || !STATEMENT.test(message)) continue;
      assert.ok(session_id !== undefined && vxid !== undefined, message);
      const name = `${session_id} ${vxid}`;
      const ran = transactions.get(name) ?? [];
      transactions.set(name, ran);
      ran.push({ sql: message.replace(STATEMENT, ""), values: VALUES.test(detail) ? detail.replace(VALUES, "") : "" });
    }
    this.#taken = lines.length;
    return [...transactions.values()];
  }

  /** Returns the whole lines of the log. */
  #lines(): Line[] {
    const path = join(this.#server.dataFolder, "log/statements.json");
    if (!existsSync(path)) return [];
    const texts = readFileSync(path, "utf8").split("\n");
    return texts.slice(0, -1).map((text) => JSON.parse(text) as Line);
  }
}
