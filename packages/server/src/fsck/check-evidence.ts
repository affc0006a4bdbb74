/**
 * Checks that the rows of a database are those that were written: every family checks its own by core, as an auditor
 * would, against their sources, against the audit log, and against each other. Columns that no evidence binds, such as
 * names of tenants, are NOT checked.
 */
import type { Fault } from "@svc/host/checks";
import { readSettings } from "@svc/host/settings";
import type { CheckContext } from "../check-context.ts";
import { checkTrust } from "../keys/check-trust.ts";
import type { Program } from "../program/program.ts";
import { newSigningKeyPem, signerOf } from "../signing/file-signer.ts";

/** The database to check, and the capabilities for it. */
export interface Checked
  extends Omit<
      CheckContext,
      "trust" | "signer" | "keys" | "events" | "onStep" | "witnesses" | "privateFolder" | "settings"
    >,
    Partial<Pick<CheckContext, "onStep" | "witnesses" | "privateFolder" | "settings">> {
  /** The program whose families check their rows. */
  readonly program: Pick<Program, "families" | "schemas" | "events">;
}

/** The settings of a check that is not told any. */
const noSettings: CheckContext["settings"] = (table) => readSettings(table, {}).values;

/** Yields the faults, family by family, within each stream the first bad row first. It needs no private key. */
export async function* checkEvidence(checked: Checked): AsyncGenerator<Fault> {
  const { program, database, kernel, origin, onStep = () => undefined, witnesses = [] } = checked;
  // Objects that are assembled only to be verified are sealed by a key that seals nothing else.
  const signer = signerOf(kernel, newSigningKeyPem(), "a key of this check alone");
  const { keys, trust } = await database.read((reader) => checkTrust(reader, origin, signer));
  for (const { name, check } of program.families) {
    if (check === undefined) continue;
    onStep(name);
    const own = { signer, keys, trust, onStep, witnesses, events: program.events };
    yield* check({ privateFolder: null, settings: noSettings, ...checked, ...own });
  }
}
