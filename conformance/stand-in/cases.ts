/**
 * The cases at hand: each fixture with its report as a case of `verify`, and the lines of conformance/cases. It stands
 * in for the case set of the kit.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@svc/core";

/** A case, as a line of the case set has it. */
export interface Case {
  readonly name: string;
  readonly level: number;
  readonly request: JsonObject;
  readonly answer: JsonObject;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LEVELS: Readonly<Record<string, number>> = {
  fork: 6,
  anchor: 6,
  bundle: 5,
  "portable-receipt": 5,
  "truth-package": 5,
};

/** Returns all cases, by the order of their files. */
export function casesAtHand(): Case[] {
  return [...fixtureCases(), ...committedCases(), BEYOND];
}

/** A size beyond the protocol's integers, of which the kit's own cases have more. */
const BEYOND: Case = {
  name: "1/stand-in/size-beyond",
  level: 1,
  request: {
    op: "merkle.consistency",
    size1: "9007199254740993",
    root1: "00".repeat(32),
    size2: "9007199254740993",
    root2: "00".repeat(32),
    path: [],
  },
  answer: { ok: false, code: "malformed" },
};

function fixtureCases(): Case[] {
  const folder = join(ROOT, "fixtures");
  return globSync("**/*.json", { cwd: join(folder, "cases") })
    .sort()
    .map((file) => {
      const { kind, trust, links, input, input_base64 } = read(join(folder, "cases", file));
      const bytes = input_base64 ?? Buffer.from(String(input)).toString("base64");
      const report = read(join(folder, "reports", file)) as JsonObject & { ok: boolean };
      const level = LEVELS[String(kind)] ?? 4;
      return {
        name: `${level}/${file.replace(/\.json$/, "")}`,
        level,
        request: { op: "verify", bytes, kind, trust, ...(links === undefined ? {} : { links }) } as JsonObject,
        answer: { ok: report.ok, report },
      };
    });
}

function committedCases(): Case[] {
  const folder = join(ROOT, "conformance/cases");
  if (!existsSync(folder)) return [];
  const lines = globSync("**/*.jsonl", { cwd: folder })
    .sort()
    .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"));
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Case);
}

function read(path: string): JsonObject {
  return JSON.parse(readFileSync(path, "utf8")) as JsonObject;
}
