/** What a program of other families needs: to be made, to run its commands, and to record on its thread. */

export type { CheckContext, DiagnoseContext } from "../check-context.ts";
export { run } from "../commands/program.ts";
export type { AnsweringContext, Context, ServerFamily } from "../context.ts";
export { readFor } from "../reading/read-for.ts";
export { recordFor } from "../recording/record-for.ts";
export type { Program, ThreadPrograms } from "./program.ts";
export { programOf } from "./program-of.ts";
