/** A family's report on itself: faults of its rows, and findings for an operator. */
export { difference, type Fault, type RawRow } from "./fault.ts";
export { type Finding, fail, looked, ok, warn } from "./finding.ts";
export { type StrayRule, strayRows } from "./stray-rows.ts";
