/**
 * When a report accuses a service. tamper.slow.test.ts and tamper-package.slow.test.ts search the reports on all
 * mutants that somebody without its key can make.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { inputBytes } from "@svc/testkit/vectors";
import { CODES, type Json, type JsonObject, type ProblemCode, pinKeys, selectKernel, verify } from "../src/index.ts";
import { KEEP_AGAINST_SIGNER } from "../src/own-actions.ts";
import { MAX_PROBLEMS } from "../src/report/bounds.ts";
import { withConviction } from "../src/report/conviction.ts";
import { UNTRUSTED_SIGNER } from "../src/tamper/forge/forger.ts";
import { BLAME } from "./tamper-judge.ts";

const kernel = selectKernel();
const FOLDER = new URL("../../../fixtures/cases/", import.meta.url);

interface Fixture {
  readonly input?: string;
  readonly input_base64?: string;
  readonly trust: JsonObject;
  readonly links?: readonly Json[];
}

const names = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
const read = (name: string): Fixture => JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"));

/** Says whether a report on these bytes accuses the service. */
function accuses(bytes: Uint8Array, { trust, links = [] }: Pick<Fixture, "trust" | "links">): boolean {
  const { problems } = verify(bytes, { trust, links: [...links] });
  const accusing = problems.filter(({ message, action }) => BLAME.test(`${message} ${action}`));
  assert.ok(accusing.length === 0 || problems.every(({ action }) => action === KEEP_AGAINST_SIGNER));
  return accusing.length > 0;
}

const convicting = names.filter((name) => accuses(inputBytes(read(name)), read(name)));

test("what the pinned key sealed against itself convicts it, whatever its kind", () => {
  const kinds = new Set(convicting.map((name) => name.split("/")[0]));
  assert.deepEqual([...kinds].sort(), ["bundle", "checkpoint", "consistency", "portable-receipt", "truth-package"]);
  const shown = new Set(
    convicting.flatMap((name) => verify(inputBytes(read(name)), read(name)).problems.map(({ code }) => code)),
  );
  const able = (Object.keys(CODES) as ProblemCode[]).filter((code) => Object.hasOwn(CODES[code], "convicts"));
  // Two successors are two keys: nothing shows which of them sealed the rest.
  assert.deepEqual([...shown].sort(), able.filter((code) => code !== "key_endorsement_conflict").sort());
});

test("it convicts nobody where no pin leads to the key", () => {
  assert.ok(convicting.length > 40, `${convicting.length}`);
  for (const name of convicting) {
    const fixture = read(name);
    const bytes = inputBytes(fixture);
    assert.equal(accuses(bytes, { ...fixture, trust: { ...fixture.trust, signers: [] } }), false, name);
    const stranger = pinKeys(kernel, [UNTRUSTED_SIGNER.publicKeyHex]);
    assert.equal(accuses(bytes, { ...fixture, trust: stranger as unknown as JsonObject }), false, name);
  }
});

test("what anybody can do to an honest file accuses nobody", () => {
  for (const name of ["consistency/good-anchors.json", "consistency/good.json"]) {
    const fixture = read(name);
    const { consistency_path: path, ...rest } = JSON.parse(`${fixture.input}`);
    const [first, ...others] = path as string[];
    const changed = `${first?.startsWith("0") ? "1" : "0"}${first?.slice(1)}`;
    const bytes = Buffer.from(JSON.stringify({ ...rest, consistency_path: [changed, ...others] }));
    assert.equal(verify(bytes, fixture).problems[0]?.code, "consistency_invalid", name);
    assert.equal(accuses(bytes, fixture), false, name);
  }
  for (const name of ["consistency/reversed.json", "portable-receipt/last-window-is-another.json"])
    assert.ok(names.includes(name) && !convicting.includes(name), name);
});

test("a full list convicts nobody, since it may lack what spoils the evidence; nor does a signer out of reach", () => {
  const [name] = convicting;
  assert.ok(name !== undefined);
  const fixture = read(name);
  const { problems, signers } = verify(inputBytes(fixture), fixture);
  const [problem] = problems;
  const [signer] = signers;
  assert.ok(problem !== undefined && signer !== undefined);
  const asked = { ...problem, action: "Ask." };
  const convicted = (count: number, by: typeof signers) =>
    withConviction(Array<typeof problem>(count).fill(asked), by).every(({ action }) => action === KEEP_AGAINST_SIGNER);
  assert.equal(convicted(MAX_PROBLEMS - 1, [signer]), true);
  assert.equal(convicted(MAX_PROBLEMS, [signer]), false);
  assert.equal(convicted(1, Array<typeof signer>(MAX_PROBLEMS - 1).fill(signer)), true);
  assert.equal(convicted(1, Array<typeof signer>(MAX_PROBLEMS).fill(signer)), false);
  assert.equal(convicted(1, [{ ...signer, reached: "none" }]), false);
  assert.equal(convicted(1, [{ ...signer, role: "witness" }]), false);
});
