/**
 * The good file that is to be damaged: strict JSON of the form of its kind, or a truth package, and the mutants that are made of it. It is
 * NOT verified here.
 */
import type { Kernel, Kind } from "@svc/core";
import { mutants, packageMutants } from "@svc/core/tamper";
import { isArchive } from "@svc/report";
import { openBytes } from "../evidence-file/open.ts";
import { readInput } from "../input.ts";
import type { Make } from "./spread.ts";

/** A file to be damaged. */
export interface GoodFile {
  readonly kind: Kind;
  readonly bytes: Uint8Array;
  /** What the names of such files end in. */
  readonly ending: ".json" | ".zip";
  /** The mutants of it; only where it is verified. */
  readonly make: Make;
}

/** Opens a file that is to be damaged. What is neither evidence nor an archive is refused. */
export async function openGood(kernel: Kernel, path: string): Promise<GoodFile> {
  const bytes = await readInput(path);
  if (isArchive(bytes)) {
    const make: Make = (select) => packageMutants(bytes, { kernel, select });
    return { kind: "truth-package", bytes, ending: ".zip", make };
  }
  const { kind, value } = openBytes(kernel, path, bytes, []);
  return { kind, bytes, ending: ".json", make: (select) => mutants(kind, value, { kernel, select }) };
}
