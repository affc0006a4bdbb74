/** The examples in docstrings: the lines behind `@example`, to the docstring's end, and the declaration below. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** An example of a docstring. */
export interface DocExample {
  /** The name of the declaration; for a member, behind the name of its class. */
  readonly name: string;
  readonly code: string;
  /** The lines that it prints. */
  readonly prints: readonly string[];
}

const DOCSTRING =
  /^( *)\/\*\*\n((?: *\*.*\n)*?) *\*\/\n *(?:export )?(?:async )?(?:function\*? |class |const )?(\w+)/gm;
const CLASS = /^export class (\w+)/gm;
const PRINTED = /console\.log\(.*\); \/\/ (.+)$/;

/** Returns the examples in all files of a folder. */
export function docExamples(folder: string): DocExample[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .sort()
    .flatMap((name) => examplesOf(readFileSync(join(folder, name), "utf8")));
}

function examplesOf(text: string): DocExample[] {
  const classes = [...text.matchAll(CLASS)].map(({ index, 1: name = "" }) => ({ index, name }));
  return [...text.matchAll(DOCSTRING)].flatMap(({ index, 1: indent = "", 2: lines = "", 3: name = "" }) => {
    const [, code] = /^ *\* @example\n(.*)$/ms.exec(lines) ?? [];
    if (code === undefined) return [];
    const own = code.replace(/^ *\* ?/gm, "");
    const holder = indent === "" ? undefined : classes.findLast((each) => each.index < index)?.name;
    const prints = own.split("\n").flatMap((line) => PRINTED.exec(line)?.[1] ?? []);
    return [{ name: holder === undefined ? name : `${holder}.${name}`, code: own, prints }];
  });
}
