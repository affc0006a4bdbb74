/**
 * Every standard mutation of good evidence. It is apart from core's main entry, so that verifiers that do not need it
 * stay small.
 */

export { type ForgedKind, forged } from "./forge/forged.ts";
export { UNTRUSTED_SIGNER } from "./forge/forger.ts";
export { untrustedSigner } from "./forge/untrusted-signer.ts";
export { MUTANT_CLASSES, type Mutant, type MutantClass } from "./mutant.ts";
export { type MutantOptions, mutants, type Select } from "./mutants.ts";
export { forgedPackage, type PackageValues } from "./package/forged.ts";
export { type PackageMutantOptions, packageMutants } from "./package/mutants.ts";
export { isObject, places } from "./places.ts";
export { otherValues } from "./values.ts";
