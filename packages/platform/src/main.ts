#!/usr/bin/env node
/** The program `svc-platform`: runs the command line and ends with its exit code. */
import { run } from "@svc/server/program";
import { PLATFORM } from "./program.ts";

process.exitCode = await run(PLATFORM, process.argv.slice(2));
