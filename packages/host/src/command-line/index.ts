/** The command line of a program. */
export { programOf, runProgram } from "./program.ts";
export { releaseTerminal, stopRequest } from "./stop-request.ts";
