/**
 * The process of a PostgreSQL server that runs a transaction. Behind a pooler it may be another one each time, with
 * settings that somebody else has left there, so every transaction asks as it begins, in the same message.
 */

/** Settings of a server that let it forget commits that it has answered, by their names in PostgreSQL. */
export const RISKS = ["synchronous_commit", "fsync", "full_page_writes"] as const;
export type Risk = (typeof RISKS)[number];

/** The values of `synchronous_commit` under which a commit is on the disk of every server that must have it. */
const SYNCHRONOUS = ["on", "remote_apply"];

/** The values of the settings. */
export type RiskSettings = Readonly<Record<Risk, string>>;

/** The columns of a query for the settings, in SQL. */
export const RISK_SETTINGS: string = RISKS.map((risk) => `current_setting('${risk}') AS ${risk}`).join(", ");

/** Asks whether a server only reads, as a standby does. */
export const ONLY_READS =
  "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS only_reads";

/** The server that runs a transaction. */
export interface Serving {
  /** The number of the server's process, which a restarted server may give again. */
  readonly process_id: number;
  /** Differs for each server, also for one that was restarted. */
  readonly server: string;
  /** Whether a commit waits for standbys: not on one, and not on a server that names none. */
  readonly waits: boolean;
  /** Whether there is the table COMMITS. */
  readonly keeps_commits: boolean;
}

/**
 * The table of commits that the standbys may not have: each that writes adds its number, and once the standbys are
 * known to have it, that is deleted.
 */
export const COMMITS = "unconfirmed_commits";

const STARTED_AT = "extract(epoch FROM pg_postmaster_start_time())::text";
const WAITS = "NOT pg_is_in_recovery() AND current_setting('synchronous_standby_names') <> ''";
/** The columns of a query for Serving, in SQL. */
export const SERVING = `pg_backend_pid() AS process_id, ${STARTED_AT} AS server,
  ${WAITS} AS waits, to_regclass('${COMMITS}') IS NOT NULL AS keeps_commits`;

/** The commits that a transaction sees and its standbys may not have. */
export interface View extends Serving {
  /** The numbers of the commits, with commas between; null for none. Absent where nobody asked for them. */
  readonly unconfirmed?: string | null;
  /** The number below which no transaction was under way. Absent with `unconfirmed`. */
  readonly oldest?: string;
}

/**
 * Returns the columns of a query for View, in SQL, where there is the table. It must not be in a serializable
 * transaction: that would conflict with all others. `since`: by server, the number below which all commits are known to
 * be confirmed. The rows of those are not read: as long as somebody else's snapshot is open, the server has to keep
 * each that was deleted.
 */
export function viewSince(since: ReadonlyMap<string, number>): string {
  const cases = [...since].map(([server, number]) => `WHEN '${server}' THEN ${number}`).join(" ");
  const from = cases === "" ? "0" : `CASE ${STARTED_AT} ${cases} ELSE 0 END`;
  return `${SERVING}, CASE WHEN ${WAITS} THEN (SELECT string_agg(number::text, ',') FROM ${COMMITS} WHERE number >= ${from}) END AS unconfirmed,
    pg_snapshot_xmin(pg_current_snapshot())::text AS oldest`;
}

/** The answer of a process about itself. */
export interface Backend extends RiskSettings, Serving {
  /** Differs for each process, also where a restarted server gives the same number to a new one. */
  readonly backend: string;
  /** Whether its transaction can write: `off`. */
  readonly only_reads: string;
}

/** Asks for Backend. It is the first statement of a transaction: one that compares gets its snapshot here. */
export const ASK_BACKEND: string = `SELECT pg_backend_pid() || ' ' || pg_postmaster_start_time() AS backend,
  ${SERVING}, current_setting('transaction_read_only') AS only_reads, ${RISK_SETTINGS}`;

/** Returns the risks that the settings take. */
export function risksOf(settings: RiskSettings): Risk[] {
  return RISKS.filter((risk) =>
    risk === "synchronous_commit" ? !SYNCHRONOUS.includes(settings[risk]) : settings[risk] !== "on",
  );
}

/** Returns the risks that the settings take and the operator has not named, in words; null for none. */
export function unnamedRisks(settings: RiskSettings, named: readonly Risk[]): string | null {
  const taken = risksOf(settings);
  const unnamed = taken.filter((risk) => !named.includes(risk));
  const [first] = unnamed;
  if (first === undefined) return null;
  return (
    `The server has ${unnamed.map((risk) => `${risk} = ${settings[risk]}`).join(" and ")}: it can lose what it has ` +
    `answered. Set ${first} = on, or name the risk: SVC_DATABASE_RISKS=${taken.join(",")}`
  );
}
