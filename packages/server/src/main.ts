#!/usr/bin/env node
/** The program `svc-server`: runs the command line and ends with its exit code. */
import { run } from "./commands/program.ts";
import { THIN_SERVER } from "./thin-server/program.ts";

process.exitCode = await run(THIN_SERVER, process.argv.slice(2));
