/**
 * The part that every command shares which changes the trust file: it finds the file, changes it under its lock, and
 * says what it did.
 */
import process from "node:process";
import type { Kernel } from "@svc/core";
import { escapeText } from "@svc/report";
import { openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import { wrap } from "../render/text.ts";
import { ownTrustPlace } from "./place.ts";
import { changeTrustFile, type TrustFile } from "./store.ts";
import { placeLines } from "./words.ts";

/** The option that all of them have. */
export interface TrustFileOption {
  readonly trust?: string;
}

/**
 * Changes the file and prints `done`, or that there was nothing to change, and which file it is. Resolves to the
 * present content.
 */
export async function changeTrust(
  option: TrustFileOption,
  done: readonly string[],
  change: (file: TrustFile, kernel: Kernel) => TrustFile,
): Promise<TrustFile> {
  const place = ownTrustPlace(option.trust, process.env);
  const kernel = openKernel();
  let before: TrustFile | undefined;
  const after = await changeTrustFile(kernel, place.path, (file) => {
    before = file;
    return change(file, kernel);
  });
  const said = JSON.stringify(before) === JSON.stringify(after) ? ["It is there already."] : done;
  printLines([...said.flatMap((line) => wrap(escapeText(line), { first: "", rest: "" })), ...placeLines(place)]);
  return after;
}
