/**
 * Looks at a PostgreSQL server before anything is built on it. Each fault is said in one line, with what to do; the
 * password is never part of it.
 */
import pg from "pg";
import { StoreUnavailable } from "./database.ts";
import type { ServerLocation } from "./location.ts";
import { ONLY_READS, RISK_SETTINGS, type Risk, type RiskSettings, risksOf, unnamedRisks } from "./postgres-backend.ts";
import { targetsOf } from "./postgres-connection.ts";

const LEAST_VERSION = 15;
/** Texts are compared as bytes: the order of lists, of windows and of their evidence depends on it. */
const BY_BYTES = /^(?:C|POSIX|C\.UTF-?8|ucs_basic)$/i;

/** The server, the database or the user is not fit for a deployment; the message says what to do about it. */
export class UnfitServer extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UnfitServer";
  }
}

/** The figures that a server tells of itself. */
export interface ServerFigures {
  /** Such as `18.4`. */
  readonly version: string;
  readonly host: string;
  readonly database: string;
  /** The risks that the server takes, and the operator has named. */
  readonly taken: readonly Risk[];
  /** The names of its synchronous standbys, as its setting has them; empty if it waits for none. */
  readonly standbys: string;
}

interface Row extends RiskSettings {
  readonly version: string;
  readonly version_no: string;
  readonly encoding: string;
  readonly collation: string | null;
  readonly standbys: string;
  readonly schema: string | null;
  readonly may_create: boolean | null;
  readonly database: string;
}

/**
 * Resolves to what the server says of itself. Rejects with UnfitServer for one on which no deployment can stand, and
 * with StoreUnavailable for one that cannot be reached, or only reads, now. `orReading`: a server that only reads will
 * do.
 */
export async function requireServer(
  { url, risks }: ServerLocation,
  { orReading = false }: { readonly orReading?: boolean } = {},
): Promise<ServerFigures> {
  const { row, host } = await lookAt(url, orReading);
  if (Number(row.version_no) < LEAST_VERSION * 10_000)
    throw new UnfitServer(
      `The server is PostgreSQL ${row.version}, and at least ${LEAST_VERSION} is needed. Move the database to a ` +
        `newer one.`,
    );
  if (row.encoding !== "UTF8")
    throw new UnfitServer(
      `The database ${row.database} has the encoding ${row.encoding}, and UTF8 is needed. Make it anew: ` +
        `${createStatement(row)}`,
    );
  if (row.collation === null || !BY_BYTES.test(row.collation))
    throw new UnfitServer(
      `The database ${row.database} sorts texts by ${row.collation ?? "a locale"}, and must sort them by their ` +
        `bytes. Make it anew: ${createStatement(row)}`,
    );
  if (row.schema === null || row.may_create !== true)
    throw new UnfitServer(
      `The user of SVC_DATABASE_URL may make no tables in the schema ${row.schema ?? "public"} of ` +
        `${row.database}. Let it: GRANT USAGE, CREATE ON SCHEMA ${row.schema ?? "public"} TO <user>`,
    );
  const unnamed = unnamedRisks(row, risks);
  if (unnamed !== null) throw new UnfitServer(unnamed);
  return { version: row.version, host, database: row.database, taken: risksOf(row), standbys: row.standbys };
}

/** Resolves to the row of the primary among the hosts. */
async function lookAt(url: string, orReading: boolean): Promise<{ readonly row: Row; readonly host: string }> {
  const words: string[] = [];
  let reading: { readonly row: Row; readonly host: string } | null = null;
  let unfit: UnfitServer | null = null;
  for (const target of targets(url)) {
    const host = `${target.host}:${target.port}`;
    const client = new pg.Client(target);
    client.on("error", () => undefined);
    try {
      await client.connect();
      const [row] = (await client.query<Row>(LOOK)).rows;
      if (row === undefined) throw new Error("it does not answer");
      if ((await client.query(ONLY_READS)).rows[0]?.only_reads === false) return { row, host };
      reading ??= { row, host };
      words.push(`${host} only reads now`);
    } catch (error) {
      unfit ??= refusedBy(error, target);
      words.push(`${host}: ${inWords(error)}`);
    } finally {
      client.end().catch(() => undefined);
    }
  }
  if (orReading && reading !== null) return reading;
  if (unfit !== null) throw unfit;
  throw new StoreUnavailable(
    `No server of SVC_DATABASE_URL can be written: ${words.join("; ")}. Start it, or correct host and port.`,
  );
}

const LOOK = `SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS version_no,
  pg_encoding_to_char(d.encoding) AS encoding,
  COALESCE(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale', d.datcollate) AS collation,
  ${RISK_SETTINGS},
  current_setting('synchronous_standby_names') AS standbys, current_schema() AS schema,
  has_schema_privilege(current_schema(), 'USAGE') AND has_schema_privilege(current_schema(), 'CREATE') AS may_create,
  d.datname AS database FROM pg_database d WHERE d.datname = current_database()`;

function targets(url: string): pg.ClientConfig[] {
  try {
    return targetsOf(url);
  } catch (error) {
    throw new UnfitServer(
      `SVC_DATABASE_URL is no address of a database: ${(error as Error).message}. It must be like ` +
        `postgres://user:password@host:5432/database`,
    );
  }
}

/** Returns what a refusal of the server means, where waiting does not help; null for any other error. */
function refusedBy(error: unknown, { user, database }: pg.ClientConfig): UnfitServer | null {
  const { code } = error as { readonly code?: string };
  if (code === "28P01" || code === "28000")
    return new UnfitServer(
      `The server refuses the user ${user} of SVC_DATABASE_URL. Correct the user or the password, or let it in ` +
        `(pg_hba.conf).`,
    );
  if (code === "3D000")
    return new UnfitServer(
      `There is no database ${database} on the server. Make it: ${createStatement({ database: `${database}` })}`,
    );
  if (code === "42501")
    return new UnfitServer(
      `The user ${user} of SVC_DATABASE_URL may not connect to the database ${database}. Let it: GRANT CONNECT ` +
        `ON DATABASE ${database} TO ${user}`,
    );
  return null;
}

function createStatement({ database }: Pick<Row, "database">): string {
  return `CREATE DATABASE ${database} ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0`;
}

function inWords(error: unknown): string {
  // An error for several addresses of one name has no message.
  const { errors } = error as { readonly errors?: readonly Error[] };
  return errors?.[0]?.message ?? (error as Error).message;
}
