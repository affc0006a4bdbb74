/** Every file of spec/ but its README, as text: JSON with an indentation of two, and a newline at the end. */
import { contractsOf, openApi } from "@svc/api";
import { VERSION } from "@svc/core";
import { PROTOCOL } from "../../packages/core/src/protocol.ts";
import { checks, codes } from "./codes.ts";
import { errors } from "./errors.ts";
import { explanations } from "./explanations.ts";
import { specFormats } from "./formats.ts";
import { kinds } from "./kinds.ts";
import { limits } from "./limits.ts";
import { specSchemas } from "./schemas.ts";
import { sentences } from "./sentences.ts";
import { words } from "./words.ts";

/** The characters that editors do not show, or show as others. */
const UNSEEN = /(?![ \n])[\p{C}\p{Z}]/gu;

/** Returns the texts by path, as `spec/codes.json`. */
export function specFiles(): ReadonlyMap<string, string> {
  const tables = { codes, checks, kinds, formats: specFormats, limits, sentences, words, errors, explanations };
  return new Map([
    ...Object.entries(tables).map(([name, make]) => fileOf(name, { protocol: PROTOCOL, version: VERSION, ...make() })),
    fileOf("openapi", openApi(contractsOf({ withMetrics: true }), null)),
    ...Object.entries(specSchemas()).map(([name, schema]) => fileOf(`schemas/${name}`, schema)),
  ]);
}

function fileOf(name: string, value: unknown): readonly [path: string, text: string] {
  return [`spec/${name}.json`, `${JSON.stringify(value, null, 2).replace(UNSEEN, escaped)}\n`];
}

/** Returns a character as JSON's escapes, one for each UTF-16 unit. */
function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}
