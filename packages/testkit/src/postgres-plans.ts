/** The plans of the statements that a PostgreSQL server has run, from the log of its module `auto_explain`. */
import type { Settings } from "./postgres.ts";

/** The settings of a server that logs the plan of each statement. A running one reads them for its next connections. */
export const LOGS_PLANS: Settings = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_format": "json",
  // The name of the program, by which its statements are found among those of others.
  log_line_prefix: "%a: ",
};

/**
 * The settings of a server that reads a table whole only where it finds no index. All of a few rows are otherwise
 * soonest read together.
 */
export const ONLY_BY_INDEXES: Settings = {
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
};

/** A statement that ran, with its plan. */
export interface Planned {
  readonly sql: string;
  /** How long it took, in milliseconds. */
  readonly tookMs: number;
  readonly plan: PlanNode;
}

/** A step of a plan that reads a table or an index from end to end. */
export interface WholeRead {
  readonly sql: string;
  readonly table: string;
  /** The index; null if the table itself is read. */
  readonly index: string | null;
}

/** A step of a plan, as EXPLAIN (FORMAT JSON) names its members. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly Plans?: readonly PlanNode[];
}

const LOGGED = /^(.*): LOG: {2}duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n)+)/gm;
const READS_TABLE = /^(?:Seq|Tid Range) Scan/;
const READS_INDEX = /^(?:Index|Index Only) Scan/;
/** Steps that read all before they give the first row. */
const GATHERS = /Sort|Aggregate|Hash|Materialize/;

/** Returns the statements in a log, those of one program if it is named, in the order in which they ended. */
export function plannedIn(log: string, application?: string): Planned[] {
  return [...log.matchAll(LOGGED)]
    .filter(([, name]) => application === undefined || name === application)
    .map(([, , took, text = ""]) => {
      const { "Query Text": sql, Plan: plan } = JSON.parse(text) as { "Query Text": string; Plan: PlanNode };
      return { sql, tookMs: Number(took), plan };
    });
}

/** Returns what statements read from end to end, once for each statement, table and index. */
export function wholeReadsOf(statements: readonly Planned[]): WholeRead[] {
  const reads = new Map<string, WholeRead>();
  for (const { sql, plan } of statements)
    for (const read of wholeReads(sql, plan, false)) reads.set(JSON.stringify(read), read);
  return [...reads.values()];
}

function wholeReads(sql: string, node: PlanNode, isLimited: boolean): WholeRead[] {
  const { "Node Type": step, "Relation Name": table = "", "Index Name": index = null, Plans: inner = [] } = node;
  const isWhole = READS_TABLE.test(step) || (READS_INDEX.test(step) && node["Index Cond"] === undefined && !isLimited);
  const own = isWhole ? [{ sql, table, index }] : [];
  const goesOn = step === "Limit" || (isLimited && !GATHERS.test(step));
  return [...own, ...inner.flatMap((one) => wholeReads(sql, one, goesOn))];
}
