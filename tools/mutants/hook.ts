/**
 * Loaded into the judge's process before anything else: modules get their instrumented text, and `node:test` is
 * collector.ts. The file in the environment variable SVC_MUTANTS contains the texts.
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import type { Instrumented } from "./instrument.ts";
import "./switches.ts";

const { modules } = JSON.parse(readFileSync(process.env.SVC_MUTANTS ?? "", "utf8")) as Instrumented;
const collector = new URL("collector.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) => next(specifier === "node:test" ? collector : specifier, context),
  load(url, context, next) {
    const source = modules[url];
    return source === undefined ? next(url, context) : { format: "module", source, shortCircuit: true };
  },
});
