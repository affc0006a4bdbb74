/**
 * Every standard mutation of one good truth package (protocol sections 15 and 16), with the result that a verifier must
 * give: mutations of its archive, of its manifest, and of each artifact. They are made lazily, and are the same each
 * time. This file does NOT verify.
 */
import type { Kernel } from "../../kernel/kernel.ts";
import { type Mutant, mutantIds } from "../mutant.ts";
import type { Select } from "../mutants.ts";
import { archiveEdits } from "./archives.ts";
import { aboutEdits, bundleMutants, listEdits, tableEdits } from "./artifacts.ts";
import { manifestEdits } from "./manifests.ts";
import { partsOf } from "./parts.ts";

/** The input for mutants of packages. */
export interface PackageMutantOptions {
  /** Computes the hashes of parts that are made consistent again, and the bytes of all. */
  readonly kernel: Kernel;
  /** Other valid packages, whose parts are put in the place of the good one's. */
  readonly donors?: readonly Uint8Array[];
  /** Selects the mutants to make, by class and place; by default all. The others keep their numbers. */
  readonly select?: Select;
}

/**
 * Yields the mutants of a good package, one after the other. `good` was `verified` under the trust policy under which
 * the mutants are to be verified. Paths of mutants begin with the name of the file. Throws TypeError if the bytes are
 * no package.
 */
export function* packageMutants(good: Uint8Array, options: PackageMutantOptions): Generator<Mutant> {
  const { kernel, donors = [], select = () => true } = options;
  const parts = partsOf(kernel, good);
  const others = donors.map((donor) => partsOf(kernel, donor));
  const bundles = others.map((other) => other.bundles);
  const manifests = others.map(({ manifest }) => manifest);
  const idOf = mutantIds();
  for (const group of [
    archiveEdits(parts.files),
    manifestEdits(kernel, parts.files, parts.manifest, manifests),
    tableEdits(parts),
    aboutEdits(parts),
    listEdits(parts, bundles),
  ])
    for (const edit of group) {
      const id = idOf(edit.class);
      if (!select(edit.class, edit.path)) continue;
      const { path, description, expected, free } = edit;
      yield { id, class: edit.class, path, description, bytes: edit.bytes(), expected, free };
    }
  yield* bundleMutants(parts, bundles, select);
}
