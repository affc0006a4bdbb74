/** Mutants of evidence, as it is and sealed again: the Go SDK and core give the same report on each. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { built } from "@svc/testkit/built";
import { GO_SVC } from "./command.ts";
import { kit, PINNED } from "./kit.ts";
import { goTest } from "./toolchain.ts";

const SEALED_PROGRAM = fileURLToPath(new URL("../../../conformance/sealed/main.ts", import.meta.url));
/** As many as a release is tried with in CI; a million by hand. */
const MUTANTS = Number(process.env.SVC_GO_MUTANTS ?? 20_000);
const SEALED = Number(process.env.SVC_GO_SEALED ?? 4_000);
const SEED = Number(process.env.SVC_GO_SEED ?? 30);

goTest(`of ${MUTANTS} mutants core gives the same report`, async (t) => {
  const against = `${process.execPath} ${join(await built("cli"), "svc.mjs")} conformance`;
  const words = ["--mutants", `${MUTANTS}`, "--seed", `${SEED}`, "--against", against];
  assert.match(kit(t, "reference", words), new RegExp(`^seed ${SEED}: ${MUTANTS} mutants, 0 differ`, "m"));
});

goTest(`of ${SEALED} mutants that are sealed again core gives the same report`, () => {
  const call = ["--import", PINNED, SEALED_PROGRAM, "--count", `${SEALED}`, "--seed", `${SEED}`];
  const command = `${GO_SVC} conformance --kernel reference`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...call, "--command", command], { encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, / 0 differ/);
});
