/** The plans of the statements that a PostgreSQL server has run, from the log of its module `auto_explain`. */

/** The settings of a server that logs the plan of each statement. */
export const LOGS_PLANS: Readonly<Record<string, string>> = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_format": "json",
  // All of a few rows are soonest read together. Now only a statement that finds no index for it does so.
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
};

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

const LOGGED = /duration: [\d.]+ ms {2}plan:\n((?:\t.*\n)+)/g;
const READS_TABLE = /^(?:Seq|Tid Range) Scan/;
const READS_INDEX = /^(?:Index|Index Only) Scan/;
/** Steps that read all before they give the first row. */
const GATHERS = /Sort|Aggregate|Hash|Materialize/;

/** Returns what the statements in a log read from end to end, once for each statement, table and index. */
export function wholeReadsIn(log: string): WholeRead[] {
  const reads = new Map<string, WholeRead>();
  for (const [, text = ""] of log.matchAll(LOGGED)) {
    const { "Query Text": sql, Plan: plan } = JSON.parse(text) as { "Query Text": string; Plan: PlanNode };
    for (const read of wholeReads(sql, plan, false)) reads.set(JSON.stringify(read), read);
  }
  return [...reads.values()];
}

function wholeReads(sql: string, node: PlanNode, isLimited: boolean): WholeRead[] {
  const { "Node Type": step, "Relation Name": table = "", "Index Name": index = null, Plans: inner = [] } = node;
  const isWhole = READS_TABLE.test(step) || (READS_INDEX.test(step) && node["Index Cond"] === undefined && !isLimited);
  const own = isWhole ? [{ sql, table, index }] : [];
  const goesOn = step === "Limit" || (isLimited && !GATHERS.test(step));
  return [...own, ...inner.flatMap((one) => wholeReads(sql, one, goesOn))];
}
