/** The files of a result. Whether they can be written is found out before the run, which takes minutes. */
import { closeSync, existsSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { EXIT, Refusal } from "../exit.ts";

/** Throws Refusal, with `EXIT.output`, if a file cannot be written. A file that is there stays as it is. */
export function checkWritable(file: string): void {
  const wasThere = existsSync(file);
  attempt(file, () => closeSync(openSync(file, "a")));
  if (!wasThere) unlinkSync(file);
}

/** Writes a file. Throws Refusal, with `EXIT.output`. */
export function writeReport(file: string, text: string): void {
  attempt(file, () => writeFileSync(file, text));
}

function attempt(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new Refusal(EXIT.output, `${file}: it cannot be written: ${(error as Error).message}`);
  }
}
