/**
 * The good file that will be damaged: strict JSON of the form of its kind, or a truth package, and the mutants made of
 * it. It is NOT verified here.
 */
import type { Kernel, Kind } from "@svc/core";
import { mutants, packageMutants } from "@svc/core/tamper";
import { isArchive } from "@svc/report";
import { openBytes } from "../evidence-file/open.ts";
import { readInput } from "../input.ts";
import type { Make } from "./sample.ts";

/** A file to damage. */
export interface GoodFile {
  readonly kind: Kind;
  readonly bytes: Uint8Array;
  /** The ending of the names of such files. */
  readonly ending: ".json" | ".zip";
  /** Makes its mutants; call it only if the file is verified. */
  readonly make: Make;
}

/** Opens a file to damage. Refuses a file that is neither evidence nor an archive. */
export async function openGood(kernel: Kernel, path: string): Promise<GoodFile> {
  const bytes = await readInput(path);
  if (isArchive(bytes)) {
    const make: Make = (select) => packageMutants(bytes, { kernel, select });
    return { kind: "truth-package", bytes, ending: ".zip", make };
  }
  const { kind, value } = openBytes(kernel, path, bytes, []);
  return { kind, bytes, ending: ".json", make: (select) => mutants(kind, value, { kernel, select }) };
}
