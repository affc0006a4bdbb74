/** Reads a folder of cases: every `*.jsonl` in it, one case a line. Any fault ends the run, named by file and line. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { EXIT, Refusal } from "../exit.ts";
import { type Case, CaseFault, parseCase } from "./case.ts";
import { type CaseFile, caseSetSha256, inOrder } from "./sha256.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** A set of cases. */
export interface CaseSet {
  /** 64 lowercase hex characters. */
  readonly sha256: string;
  /** In the order of files and lines; at least one. */
  readonly cases: readonly Case[];
}

/** Reads a folder. Throws Refusal, with `EXIT.input`. */
export function readCases(folder: string): CaseSet {
  const files = readFiles(folder);
  const places = new Map<string, string>();
  const cases: Case[] = [];
  for (const file of inOrder(files).filter(({ path }) => path.endsWith(".jsonl")))
    for (const [one, place] of casesOf(file, folder)) {
      const first = places.get(one.name);
      if (first !== undefined) throw faulty(`${place}: the name ${one.name} is at ${first} already`);
      places.set(one.name, place);
      cases.push(one);
    }
  if (cases.length === 0) throw faulty(`${folder}: no case in it. It holds *.jsonl files with one case a line`);
  return { sha256: caseSetSha256(files), cases };
}

function* casesOf({ path, bytes }: CaseFile, folder: string): Generator<[Case, string]> {
  const file = join(folder, path);
  let number = 0;
  for (const line of linesOf(bytes)) {
    const place = `${file}:${++number}`;
    try {
      yield [parseCase(parseJson(line)), place];
    } catch (error) {
      if (error instanceof CaseFault) throw faulty(`${place}: ${error.message}`);
      throw error;
    }
  }
}

function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline;
    yield bytes.subarray(start, end);
    start = end + 1;
  }
}

function parseJson(line: Uint8Array): unknown {
  let text: string;
  try {
    text = UTF8.decode(line);
  } catch {
    throw new CaseFault("not UTF-8");
  }
  if (text.trim() === "") throw new CaseFault("an empty line, where a case belongs");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CaseFault(`not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function readFiles(folder: string): CaseFile[] {
  try {
    if (!statSync(folder).isDirectory()) throw faulty(`${folder}: a file, where a folder of cases is wanted`);
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => isFile(join(folder, path)))
      .map((path) => ({ path: path.replaceAll("\\", "/"), bytes: readFileSync(join(folder, path)) }));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw faulty(`${folder}: it cannot be read: ${(error as Error).message}`);
  }
}

/** Says whether to read a path. A folder that is called as a file of cases is somebody's mistake. */
function isFile(path: string): boolean {
  if (!statSync(path).isDirectory()) return true;
  if (path.endsWith(".jsonl")) throw faulty(`${path}: a folder, where a file of cases is wanted`);
  return false;
}

function faulty(message: string): Refusal {
  return new Refusal(EXIT.input, message);
}
