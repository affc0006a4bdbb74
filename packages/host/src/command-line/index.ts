/** The command line of a program. */
export { rootCommand, runProgram } from "./program.ts";
export { releaseTerminal, stopRequest } from "./stop-request.ts";
