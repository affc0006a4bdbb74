/**
 * A full disk, a report with the name of an input, kernels that read the other files of a call differently: none of
 * them gives a verdict.
 */
import assert from "node:assert/strict";
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { referenceKernel } from "@svc/core";
import { decodeEvidence } from "@svc/report";
import { putRow } from "./row.ts";
import { buildWithFault, COMMAND, FOLDER, KEY, type Outcome, PIN, put, receipt, runProcess, svc } from "./svc.ts";

const isWindows = process.platform === "win32";
const said = ({ stderr }: Outcome) => stderr.trim().replace(/\n {5}/g, " ");
const contentOf = (name: string) => readFileSync(join(FOLDER, name), "utf8");
const shell = (line: string) => runProcess("sh", ["-c", `svc() { ${COMMAND} "$@"; }; ${line}`]);

putRow();
mkdirSync(join(FOLDER, "many"));
for (let index = 0; index < 8; index++) put(`many/${index}.json`, receipt);

test("lines that could not be written leave no verdict, whatever is verified after them", {
  skip: !existsSync("/dev/full"),
}, async () => {
  for (const options of ["--json", "--json --jobs 2", "--json --report lines.json", ""]) {
    const outcome = await shell(`svc verify many ${options} ${PIN.join(" ")} > /dev/full`);
    assert.equal(
      said(outcome),
      "svc: The output could not be written: ENOSPC. Make room where it goes, or send it elsewhere.",
    );
    assert.equal(outcome.code, 70, options);
  }
});

test("a disk that is full leaves the trust file as it was, and no lock", { skip: isWindows }, async () => {
  const trust = put("full.trust.json", { signers: [] });
  const before = contentOf(trust);
  const full = await shell(`ulimit -f 0; svc trust add --public-key-hex ${KEY} --trust ${trust}`);
  assert.equal(full.code, 70);
  assert.equal(contentOf(trust), before);
  assert.deepEqual(
    readdirSync(FOLDER).filter((name) => name.startsWith(`${trust}.`)),
    [],
  );
  assert.equal((await svc(["trust", "add", "--public-key-hex", KEY, "--trust", trust])).code, 0);
});

test(
  "a call that is wrong writes no refusal over the evidence in its folders, nor over a name that is no option's " +
    "value",
  async () => {
    const evidence = contentOf("many/0.json");
    for (const args of [
      ["verify", "many", "--report", "many/0.json", "--from", "x"],
      ["verify", "many/*.json", "--report", "many/0.json", "--from", "x"],
      ["verify", "many", "--report", "./many/0.json", "--trust", "none.json"],
      ["verify", "--from", "x", "--", "--report", "many/0.json"],
      ["verify", "--trust", "--report", "many/0.json"],
    ]) {
      const outcome = await svc(args);
      assert.ok(outcome.code === 64 || outcome.code === 66, args.join(" "));
      assert.equal(contentOf("many/0.json"), evidence, args.join(" "));
    }
  },
);

test("a report takes no other name of an input, a hard link neither", { skip: isWindows }, async () => {
  linkSync(join(FOLDER, "many/1.json"), join(FOLDER, "linked.json"));
  for (const input of ["many/1.json", "many"]) {
    const outcome = await svc(["verify", input, "--report", "linked.json", ...PIN]);
    assert.match(said(outcome), /--report names a file that this call reads/);
    assert.deepEqual([outcome.code, contentOf("linked.json")], [64, contentOf("many/1.json")]);
  }
});

test("kernels that read a payload or a link otherwise give no verdict together", async () => {
  const faulty = await buildWithFault(
    "reads-otherwise",
    `parseJson: (bytes) => {
       const parsed = referenceKernel.parseJson(bytes);
       if (!parsed.ok || parsed.value === null) return parsed;
       if (parsed.value.payload_salt && !parsed.value.receipt) return { ...parsed, value: { ...parsed.value, payload: {} } };
       return parsed;
     }`,
  );
  const call = [
    "receipts",
    "verify",
    "--file",
    "loan-1005.redacted.json",
    "--payload",
    "loan-1005.payload.json",
    ...PIN,
  ];
  assert.equal((await svc(call, { program: faulty })).code, 1);
  assert.equal((await svc([...call, "--kernel", "reference"], { program: faulty })).code, 0);
  const both = await svc([...call, "--cross-check"], { program: faulty });
  assert.match(said(both), /^svc: The kernels do not read your payload the same, so one of them is wrong\./);
  assert.deepEqual([both.code, both.stdout], [70, ""]);
  assert.equal((await svc([...call, "--cross-check"])).code, 0);

  const faultyLink = await buildWithFault(
    "reads-links-otherwise",
    `parseJson: (bytes) => {
       const parsed = referenceKernel.parseJson(bytes);
       if (!parsed.ok || parsed.value === null || !parsed.value.consistency_path) return parsed;
       return { ...parsed, value: { ...parsed.value, consistency_path: [] } };
     }`,
  );
  const linked = ["verify", "march.bundle.json", "--link", "march-to-april.json", "--cross-check", ...PIN];
  const unlike = await svc(linked, { program: faultyLink });
  assert.match(said(unlike), /^svc: The kernels do not read your link the same/);
  assert.deepEqual([unlike.code, unlike.stdout], [70, ""]);
  assert.equal((await svc(linked)).code, 0);
});

test("where a text is too long for the runtime there are fewer words, and the verdict stands", () => {
  const parseJson = () => {
    throw new RangeError("longer than the longest string");
  };
  const bytes = new Uint8Array(1);
  assert.deepEqual(decodeEvidence({ ...referenceKernel, parseJson }, bytes), { bytes, value: undefined, kind: null });
});
