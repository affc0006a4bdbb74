/**
 * The typings of `svc-verify.mjs`, for compilers elsewhere: one file that imports nothing. It is assembled from the
 * texts of the modules that hold nothing but types, and of the tables of kinds, checks and codes.
 */
import { readFileSync } from "node:fs";
import { CHECK_ORDER } from "../core/src/report/checks.ts";
import { CODES } from "../core/src/report/codes.ts";

const HEADER = `/**
 * The verifier of the verify page as a module for browsers and other runtimes: it opens no connection and takes no
 * credential. A report has the same shape from every verifier (protocol section 16).
 */
`;

/** Returns the text of `svc-verify.d.mts`. `exported`: the names of the module's functions. */
export function typings(exported: readonly string[]): string {
  const functions = exported.toSorted().map((name) => `export declare const ${name}: SvcVerify["${name}"];\n`);
  return [
    HEADER,
    typesOf("src/api-types.ts"),
    ...functions,
    "\n",
    typesOf("../core/src/report/report.ts"),
    "\n/** The kinds of object. */\n",
    ...["JsonKind", "Kind"].map((name) => declared("../core/src/report/checks.ts", name)),
    "\n/** The checks, in the order in which reports list them. */\n",
    union("CheckId", CHECK_ORDER),
    "\n/** What can be wrong. Codes are stable; later releases may have more. */\n",
    union("ProblemCode", Object.keys(CODES)),
  ].join("");
}

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}

/** Returns a module of types, without its header and imports. */
function typesOf(path: string): string {
  return read(path).replace(/^\/\*\*[\s\S]*?\*\/\n(import type [^;]*;\n)*\n?/, "");
}

/** Returns one type of a module that holds other things too. */
function declared(path: string, name: string): string {
  const [found] = new RegExp(`^export type ${name} =[^;]*;\\n`, "m").exec(read(path)) ?? [];
  if (found === undefined) throw new Error(`${path} declares no type ${name}`);
  return found;
}

function union(name: string, values: readonly string[]): string {
  return `export type ${name} =\n${values.map((value) => `  | "${value}"`).join("\n")};\n`;
}
