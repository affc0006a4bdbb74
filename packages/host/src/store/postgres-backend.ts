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

/** The answer of a process about itself. */
export interface Backend extends RiskSettings {
  /** Differs for each process, also where a restarted server gives the same number to a new one. */
  readonly backend: string;
  /** Its number, which a restarted server may give again. */
  readonly process_id: number;
  /** Whether its transaction can write: `off`. */
  readonly only_reads: string;
}

/** Asks for Backend. It is the first statement of a transaction: one that compares gets its snapshot here. */
export const ASK_BACKEND: string = `SELECT pg_backend_pid() || ' ' || pg_postmaster_start_time() AS backend,
  pg_backend_pid() AS process_id, current_setting('transaction_read_only') AS only_reads, ${RISK_SETTINGS}`;

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
  return `The server has ${unnamed.map((risk) => `${risk} = ${settings[risk]}`).join(" and ")}: it can lose what it has answered. Set ${first} = on, or name the risk: SVC_DATABASE_RISKS=${taken.join(",")}`;
}
