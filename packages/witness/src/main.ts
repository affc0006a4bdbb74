#!/usr/bin/env node
/** The program `svc-witness`: runs the command line and ends with its exit code. */
import { run } from "./commands/program.ts";

process.exitCode = await run(process.argv.slice(2));
