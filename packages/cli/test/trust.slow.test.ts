/**
 * The trust file, kept by the built `svc` and read by its commands that verify: the writes and refusals of each call,
 * and the parts that it leaves alone. It is long because each mistake in a call has its own line here.
 */
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Bundle, parseTrustPolicy, referenceKernel, schemas, type TrustPolicy } from "@svc/core";
import {
  bundleOf,
  type Evidence,
  issueStream,
  ORIGIN,
  SERVICE,
  WITNESS,
  WITNESS_POLICY,
} from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { sealedStatus, VAULT } from "@svc/testkit/evidence/vaults";
import { fingerprintOf } from "../src/keys/forms.ts";
import { bundle, evidence, FOLDER, KEY, type Outcome, put, svc } from "./svc.ts";

const KID = "ed25519-4c869819ecf028ae";
const OTHER = testSigner("somebody else").publicKeyHex;
const STREAM = evidence.records[0]?.stream_id ?? "";
const WITNESS_NAME = WITNESS_POLICY.witnessKeys[0]?.name ?? "";
const INSTALLATION = `ins_0${"1".repeat(25)}`;
const HASH = `0x${"ab".repeat(32)}`;
const ADDRESS = `0x${"cd".repeat(20)}`;

const said = ({ stderr }: Outcome) => stderr.trim().replace(/\n {5}/g, " ");
const inFolder = (name: string) => join(FOLDER, name);
const policyIn = (name: string): TrustPolicy => JSON.parse(readFileSync(inFolder(name), "utf8"));

/** Calls of `svc trust` on one file. */
function trustIn(file: string) {
  const trust = (...args: string[]) => svc(["trust", ...args, "--trust", file]);
  const done = async (...args: string[]): Promise<Outcome> => {
    const outcome = await trust(...args);
    assert.deepEqual([outcome.code, outcome.stderr], [0, ""], args.join(" "));
    return outcome;
  };
  const refused = async (code: number, message: RegExp, ...args: string[]): Promise<void> => {
    const before = existsSync(inFolder(file)) ? readFileSync(inFolder(file), "utf8") : null;
    const outcome = await trust(...args);
    assert.deepEqual([outcome.code, outcome.stdout], [code, ""], args.join(" "));
    assert.match(said(outcome), message);
    assert.equal(existsSync(inFolder(file)) ? readFileSync(inFolder(file), "utf8") : null, before);
  };
  return { done, refused };
}

test("every member of a trust policy but expect and those about vaults can be written, and reads back", async () => {
  const { done } = trustIn("all.json");
  put("policy.tlog", `witness a ${witnessKey()}\nquorum a\n`);
  const limits = ["--origin", ORIGIN, "--stream", STREAM, "--valid-to", "2026-12-31T23:59:59.999Z", "--no-endorse"];
  await done("add", "--name", "acme 2026", "--public-key-hex", KEY, ...limits);
  await done("add", "--witness", WITNESS_NAME, "--public-key-hex", WITNESS.publicKeyHex);
  await done("add", "--quorum-file", "policy.tlog", "--require", "included", "--require", "witnessed");
  await done("pin-contract", "--network", "eip155:1", "--address", ADDRESS, "--code-hash", HASH);
  await done("pin-block", "--network", "eip155:1", "--number", "0", "--hash", HASH);
  await done("revoke", OTHER);
  const signer = { kid: KID, public_key_hex: KEY, origin: ORIGIN, streams: [STREAM] };
  assert.deepEqual(policyIn("all.json"), {
    signers: [{ ...signer, valid_to: "2026-12-31T23:59:59.999Z", endorse: false }],
    witnesses: [{ name: WITNESS_NAME, public_key_hex: WITNESS.publicKeyHex }],
    quorum: `witness a ${witnessKey()}\nquorum a\n`,
    require: ["included", "witnessed"],
    contracts: [{ network: "eip155:1", address: ADDRESS, code_hash: HASH }],
    blocks: [{ network: "eip155:1", number: 0, hash: HASH }],
    revoked: ["ed25519-546c40302f55a212"],
  });
  assert.ok(parseTrustPolicy(referenceKernel, policyIn("all.json")).ok);
  const { stdout } = await done("list");
  for (const text of [KID, "acme 2026", ORIGIN, WITNESS_NAME, "quorum a", "included", ADDRESS, HASH, "ed25519-546c"])
    assert.ok(stdout.includes(text), text);
  const listed = JSON.parse((await done("list", "--json")).stdout);
  assert.deepEqual(listed, { file: "all.json", policy: policyIn("all.json"), names: { [KID]: "acme 2026" } });
});

test("what is removed is gone, by name too, and an empty member goes with it", async () => {
  const { done, refused } = trustIn("less.json");
  await done("add", "--name", "acme", "--public-key-hex", KEY);
  await done("add", "--public-key-hex", OTHER);
  await done("add", "--witness", witnessKey(), "--quorum", "1", "--require", "included", "--require", "anchored");
  await done("pin-contract", "--network", "eip155:1", "--address", ADDRESS, "--code-hash", HASH);
  await done("pin-block", "--network", "eip155:1", "--number", "7", "--hash", HASH);
  await done("revoke", "acme");
  await done("remove", "--revoked", "acme", "--signer", "acme", "--witness", "test.example/w", "--quorum");
  await done("remove", "--block", HASH, "--contract", ADDRESS, "--require", "included");
  const { signers, ...others } = policyIn("less.json");
  assert.deepEqual([signers.length, signers[0]?.public_key_hex, others], [1, OTHER, { require: ["anchored"] }]);
  assert.deepEqual(JSON.parse(readFileSync(inFolder("less.json.names"), "utf8")), {});
  await refused(64, /no such pin: "acme".*svc trust list/, "remove", "--signer", "acme");
  await refused(64, /no quorum/, "remove", "--quorum");
  await refused(64, /no such pin: "published"/, "remove", "--require", "published");
  await refused(64, /nothing named to remove/, "remove");
});

test("a vault is pinned once, by its installation, and can be taken out again", async () => {
  const { done, refused } = trustIn("vaults.json");
  const pin = (key: string) => ["pin-vault", "--installation", INSTALLATION, "--public-key-hex", key];
  const { stdout } = await done(...pin(KEY));
  assert.match(stdout, /^Pinned ed25519-4c869819ecf028ae for ins_0\S+\. Its\s+fingerprint is 4c86 9819/);
  assert.match((await done(...pin(KEY))).stdout, /is there already/);
  await refused(64, /pinned already, with another key: \w{64}\. .*--replace/, ...pin(OTHER));
  assert.deepEqual(policyIn("vaults.json").vaults, [{ installation_id: INSTALLATION, public_key_hex: KEY }]);
  await done(...pin(OTHER), "--replace");
  assert.deepEqual(policyIn("vaults.json").vaults, [{ installation_id: INSTALLATION, public_key_hex: OTHER }]);
  await refused(
    64,
    /malformed at \/vaults\/1\/installation_id/,
    "pin-vault",
    "--installation",
    "ins_1",
    ...pin(KEY).slice(3),
  );
  await refused(64, /no such pin: "ins_2"/, "remove", "--vault", "ins_2");
  await done("remove", "--vault", INSTALLATION);
  assert.deepEqual(policyIn("vaults.json"), { signers: [] });
});

test("list says something of every member that a trust policy can have", async () => {
  const hash = "ab".repeat(32);
  const members = {
    vaults: [{ installation_id: INSTALLATION, public_key_hex: KEY, ek_certificate_sha256: hash }],
    status_not_before: "2026-03-03T00:00:00.000Z",
    vault_time: "proven",
    attestation_roots: [{ sha256: hash, use: "custody", profile: "yubihsm2", software: true }],
    custodians: [{ name: "first custodian", public_key_hex: KEY }],
    activators: [{ name: "first activator", public_key_hex: KEY }],
    reference_values: [
      { policyId: "vault-reference", policyVersion: 1, startPcr: 15, pcrs: [], measurements: [], others: [] },
    ],
    allow_software_roots: true,
    require_assurance: "L2",
    key_status: [await sealedStatus(VAULT)],
    revoked: [KID],
    witnesses: [{ name: WITNESS_NAME, public_key_hex: WITNESS.publicKeyHex }],
    quorum: 1,
    require: ["witnessed"],
    blocks: [{ network: "eip155:1", number: 7, hash: HASH }],
    contracts: [{ network: "eip155:1", address: ADDRESS, code_hash: HASH }],
    known_checkpoints: [{ stream_id: STREAM, window_count: 1, checkpoint_root: hash }],
    expect: { stream_id: STREAM },
  } as const;
  const asked = Object.keys(schemas.TrustPolicy.properties).filter((member) => member !== "signers");
  assert.deepEqual(Object.keys(members).sort(), asked.sort());
  const said = new Map<string, string>();
  for (const [member, value] of Object.entries({ signers: undefined, ...members })) {
    put("one.json", JSON.stringify({ signers: [], ...(value === undefined ? {} : { [member]: value }) }));
    said.set(member, (await trustIn("one.json").done("list")).stdout);
  }
  const nothing = said.get("signers") ?? "";
  assert.match(nothing, /Nobody is pinned/);
  for (const member of asked) assert.ok(!said.get(member)?.includes("Nobody is pinned"), `${member}: ${nothing}`);
});

test("show gives a signer's limits, name, and fingerprint in groups", async () => {
  const { done, refused } = trustIn("show.json");
  await done("add", "--name", "acme", "--public-key-hex", KEY, "--stream", STREAM);
  const byName = await done("show", "acme");
  assert.match(byName.stdout, /^name +acme\ntrusted +for str_\w+\nkid +ed25519-4c869819ecf028ae\n/);
  assert.match(byName.stdout, /^fingerprint {2}4c86 9819 ecf0 28ae( [0-9a-f]{4}){4}\n {13}([0-9a-f]{4} ?){8}\n/m);
  assert.equal((await done("show", KID)).stdout, byName.stdout);
  assert.equal((await done("show", KEY)).stdout, byName.stdout);
  await refused(64, /no such pin: "nobody"/, "show", "nobody");
});

test("what would not be a trust policy, or stands against a pin, is refused and changes nothing", async () => {
  const { done, refused } = trustIn("firm.json");
  const add = (...args: string[]) => ["add", ...args];
  await refused(
    64,
    /malformed at \/signers\/0\/origin/,
    ...add("--public-key-hex", KEY, "--origin", "https://a.example"),
  );
  await refused(64, /malformed at \/signers\/0\/streams\/0/, ...add("--public-key-hex", KEY, "--stream", "str_1"));
  await refused(64, /malformed at \/signers\/0\/valid_to/, ...add("--public-key-hex", KEY, "--valid-to", "2026-12-31"));
  await refused(64, /--public-key-hex: the key has 63 characters/, ...add("--public-key-hex", KEY.slice(1)));
  assert.ok(!existsSync(inFolder("firm.json")));
  await done(...add("--name", "acme", "--public-key-hex", KEY));
  assert.match((await done(...add("--public-key-hex", KEY))).stdout, /^It is there already\./);
  await refused(
    64,
    /pinned already, with other limits.*--replace/,
    ...add("--public-key-hex", KEY, "--origin", ORIGIN),
  );
  await done(...add("--public-key-hex", KEY, "--origin", ORIGIN, "--replace"));
  assert.deepEqual(policyIn("firm.json").signers, [{ kid: KID, public_key_hex: KEY, origin: ORIGIN }]);
  await refused(
    64,
    /The name "acme" belongs to another key, ed25519-4c86/,
    ...add("--name", "acme", "--public-key-hex", OTHER),
  );
  await refused(64, /cannot be the name of a key/, ...add("--name", KID, "--public-key-hex", OTHER));
  await refused(64, /cannot be the name of a key/, ...add("--name", "a\u202eb", "--public-key-hex", OTHER));
  await refused(64, /nothing to add/, ...add());
  await refused(64, /--origin says something of a signer's key, and none is given/, ...add("--origin", ORIGIN));
  await refused(64, /required option '--address/, "pin-contract", "--network", "eip155:1");
  await refused(
    64,
    /malformed at \/contracts\/0\/address/,
    ...["pin-contract", "--address", "0x1", "--network", "eip155:1"],
  );
  await refused(64, /The block's hash is missing/, "pin-block", "--network", "eip155:1", "--number", "1");
  await refused(64, /name of a witness without its key/, ...add("--witness", "test.example/w"));
  await refused(64, /id inside it is not that of its name/, ...add("--witness", witnessKey().replace("/w+", "/v+")));
  await refused(64, /this is no C2SP key/, ...add("--witness", "test.example/w+0+0"));
  await refused(64, /key of an ordinary signer/, ...add("--witness", signerKey()));
  await refused(64, /gives another/, ...add("--witness", witnessKey(), "--public-key-hex", KEY));
  await refused(64, /--quorum: "02" is no number/, ...add("--quorum", "02"));
  await refused(64, /malformed at \/quorum/, ...add("--quorum", "0"));
  // A byte-order mark belongs to the first line.
  put("marked.tlog", "\ufeffquorum none\n");
  await refused(64, /malformed at \/quorum/, ...add("--quorum-file", "marked.tlog"));
  put("bad.tlog", "quorum a\n");
  await refused(64, /malformed at \/quorum.*Line 1 of the tlog-policy/, ...add("--quorum-file", "bad.tlog"));
  await refused(64, /"signed" is no requirement/, ...add("--require", "signed"));
  const block = (hash: string, ...more: string[]) => [
    "pin-block",
    "--network",
    "eip155:1",
    "--number",
    "7",
    "--hash",
    hash,
    ...more,
  ];
  await done(...block(HASH));
  await refused(64, /Block 7 of eip155:1 is pinned already, with another hash/, ...block(HASH.replace("ab", "cd")));
  await done(...block(HASH.replace("ab", "cd"), "--replace"));
  assert.equal(policyIn("firm.json").blocks?.length, 1);
  await done("revoke", "acme");
  await refused(64, /You revoked ed25519-4c86.*svc trust remove --revoked/, ...add("--public-key-hex", KEY));
});

test("a malformed trust file or names file is refused with its fault, and left as it is", async () => {
  for (const [content, fault] of [
    ['{"signers": [],\n "signers": []}', /duplicate_name at line 2, byte 2/],
    [{ signers: [], witness: [] }, /unknown_member at \/witness/],
    ["", /is empty/],
  ] as const) {
    put("bad.json", content);
    const { refused } = trustIn("bad.json");
    await refused(64, fault, "add", "--public-key-hex", KEY);
    await refused(64, fault, "list");
  }
  put("fine.json", { signers: [] });
  put("fine.json.names", { acme: 1 });
  await trustIn("fine.json").refused(64, /"fine\.json\.names" does not hold names of keys/, "list");
});

test("what a call does not name stays as it was: other members, their order, the file's mode, and a link to it", async () => {
  const policy = { require: ["included"], expect: { from_seq_no: 1 }, signers: [], known_checkpoints: [] };
  mkdirSync(inFolder("shared"));
  put("shared/trust.json", policy);
  chmodSync(inFolder("shared/trust.json"), 0o640);
  symlinkSync("shared/trust.json", inFolder("linked.json"));
  await trustIn("linked.json").done("add", "--public-key-hex", KEY);
  const text = readFileSync(inFolder("shared/trust.json"), "utf8");
  assert.deepEqual(JSON.parse(text), { ...policy, signers: [{ kid: KID, public_key_hex: KEY }] });
  assert.deepEqual(Object.keys(JSON.parse(text)), Object.keys(policy));
  assert.equal(statSync(inFolder("shared/trust.json")).mode & 0o777, 0o640);
});

test(
  "the file is --trust, else SVC_TRUST, else in XDG_CONFIG_HOME, else in the home folder; a new one is the owner's " +
    "alone",
  async () => {
    const config = inFolder("config");
    const env = { SVC_TRUST: "by-variable.json", XDG_CONFIG_HOME: config, HOME: FOLDER };
    const add = ["trust", "add", "--public-key-hex", KEY];
    const written = async (args: string[], environment: Record<string, string>, path: string) => {
      assert.ok(!existsSync(inFolder(path)), path);
      const outcome = await svc([...add, ...args], { env: environment });
      assert.deepEqual([outcome.code, outcome.stderr], [0, ""]);
      assert.equal(statSync(inFolder(path)).mode & 0o777, 0o600);
    };
    await written(["--trust", "by-option.json"], env, "by-option.json");
    await written([], env, "by-variable.json");
    await written([], { ...env, SVC_TRUST: "" }, "config/svc/trust.json");
    await written([], { HOME: FOLDER, XDG_CONFIG_HOME: "config" }, ".config/svc/trust.json");
    assert.equal(statSync(inFolder(".config/svc")).mode & 0o777, 0o700);
    const homeless = await svc(add);
    assert.equal(homeless.code, 64);
    assert.match(said(homeless), /There is no place for your trust file.*Name the file with --trust/);
    const piped = await svc([...add, "--trust", "-"]);
    assert.match(said(piped), /cannot be standard input/);
  },
);

test("a check that names nobody uses that file, and says so; one that names somebody does not", async () => {
  const env = { HOME: inFolder("reader") };
  const check = (...args: string[]) =>
    svc(["bundles", "offline-verify", "--file", "march.bundle.json", ...args], { env });
  assert.equal((await check()).code, 2);
  await svc(["trust", "add", "--public-key-hex", OTHER], { env });
  const untrusted = await check();
  assert.equal(untrusted.code, 2);
  const page = untrusted.stdout.replace(/\s+/g, "");
  assert.ok(page.includes(`Whomyoutrustwasreadfrom${inFolder("reader/.config/svc/trust.json").replace(/\s+/g, "")}`));
  await svc(["trust", "add", "--public-key-hex", KEY], { env });
  assert.equal((await check()).code, 0);
  assert.equal((await check("--public-key-hex", OTHER)).code, 2);
  assert.equal((await check("--trust", put("nobody.json", { signers: [] }))).code, 2);
  const missing = await svc(["receipts", "verify", "--file", "loan-1005.receipt.json"], {
    env: { SVC_TRUST: "gone.json" },
  });
  assert.equal(missing.code, 66);
  assert.match(said(missing), /Cannot read "gone\.json"/);
});

test("a revoked key is trusted no more", async () => {
  const env = { SVC_TRUST: "revoking.json" };
  const check = () => svc(["bundles", "offline-verify", "--file", "march.bundle.json"], { env });
  await svc(["trust", "add", "--public-key-hex", KEY], { env });
  assert.equal((await check()).code, 0);
  await svc(["trust", "revoke", KEY], { env });
  const revoked = await check();
  assert.equal(revoked.code, 2);
});

/** Resolves to the bundle of a stream when its first checkpoint was the newest: 8 events in two windows. */
function early(whole: Evidence): Promise<Bundle> {
  const [checkpoint] = whole.checkpoints;
  return bundleOf({
    ...whole,
    records: whole.records.slice(0, checkpoint?.to_seq_no),
    windows: whole.windows.slice(0, checkpoint?.window_count),
    checkpoints: whole.checkpoints.slice(0, 1),
    statements: whole.statements.slice(0, 1),
  });
}

test("a head that is remembered catches a history rewritten behind it", async () => {
  const env = { SVC_TRUST: "remembering.json" };
  const check = async (file: string) => {
    const { code, stdout } = await svc(["bundles", "offline-verify", "--file", file, "--json"], { env });
    return [code, JSON.parse(stdout).problems[0]?.code];
  };
  put("early.bundle.json", await early(evidence));
  put("forked.bundle.json", await bundleOf(await issueStream(12, { forkedAt: 3 })));
  await svc(["trust", "add", "--public-key-hex", KEY], { env });
  // Each history alone is signed rightly: nothing in the file shows that it was rewritten.
  assert.deepEqual(await check("forked.bundle.json"), [0, undefined]);
  const outcome = await svc(["trust", "remember", "early.bundle.json"], { env });
  assert.deepEqual([outcome.code, outcome.stderr], [0, ""]);
  const { stream_id, window_count, checkpoint_root } = evidence.checkpoints[0] ?? assert.fail("there are checkpoints");
  assert.deepEqual(policyIn("remembering.json").known_checkpoints, [{ stream_id, window_count, checkpoint_root }]);
  assert.deepEqual(await check("march.bundle.json"), [0, undefined]);
  assert.deepEqual(await check("forked.bundle.json"), [1, "fork_detected"]);
});

test("only verified evidence with a checkpoint is remembered, each head beside those before", async () => {
  const { done, refused } = trustIn("heads.json");
  await refused(2, /is untrusted, so it was not remembered: key_not_pinned/, "remember", "march.bundle.json");
  await done("add", "--public-key-hex", KEY);
  put("torn.bundle.json", JSON.stringify(bundle).slice(0, -5));
  await refused(
    1,
    /is rejected, so it was not remembered: json_malformed at the whole/,
    "remember",
    "torn.bundle.json",
  );
  await refused(64, /is verified, and shows no checkpoint/, "remember", "loan-1005.receipt.json");
  await refused(66, /Cannot read "none\.json"/, "remember", "none.json");
  put("before.bundle.json", await early(evidence));
  put("other-past.bundle.json", await bundleOf(await issueStream(12, { forkedAt: 6 })));
  const lone = (await issueStream(10, { streamNo: 2 })).checkpoints.at(-1);
  put("lone.checkpoint.json", lone);
  await done("remember", "before.bundle.json");
  await done("remember", "lone.checkpoint.json");
  await done("remember", "march.bundle.json");
  assert.match((await done("remember", "march.bundle.json")).stdout, /^It is there already\./);
  const counts = () => policyIn("heads.json").known_checkpoints?.map((each) => [each.stream_id, each.window_count]);
  assert.deepEqual(counts(), [
    [STREAM, evidence.checkpoints[0]?.window_count],
    [lone?.stream_id, 3],
    [STREAM, 3],
  ]);
  await refused(1, /fork_detected/, "remember", "other-past.bundle.json");
  // It is older, and its own head is remembered.
  assert.match((await done("remember", "before.bundle.json")).stdout, /^It is there already\./);
  await done("remove", "--known-checkpoint", STREAM);
  assert.equal(counts()?.length, 1);
  await done("remember", "march.bundle.json");
  await refused(2, /known_checkpoint_newer/, "remember", "before.bundle.json");
});

test("a fingerprint that a person has heard pins the key of a file that has it", async () => {
  const file = ["--file", "march.bundle.json"];
  const fingerprint = fingerprintOf(referenceKernel, SERVICE.publicKeyHex);
  const { done, refused } = trustIn("told.json");
  const spoken = fingerprint.toUpperCase().replaceAll(/.{4}(?!$)/g, "$& ");
  const { stdout } = await done("add", "--fingerprint", spoken, ...file, "--name", "acme 2026");
  assert.match(
    stdout.replaceAll(/\s+/g, " "),
    /^Pinned ed25519-4c869819ecf028ae, which you call "acme 2026"\. .* the one that you gave\./,
  );
  assert.deepEqual(policyIn("told.json").signers, [{ kid: KID, public_key_hex: KEY }]);
  const slip = `${fingerprint.slice(0, 6)}${fingerprint[6] === "0" ? "1" : "0"}${fingerprint.slice(7)}`;
  await refused(
    1,
    /carries a key whose fingerprint differs in digit 7\. Nothing was changed\./,
    "add",
    "--fingerprint",
    slip,
    ...file,
  );
  await refused(
    1,
    /carries no key with that fingerprint\. Nothing was changed\./,
    "add",
    "--fingerprint",
    OTHER,
    ...file,
  );
  await refused(
    64,
    /a fingerprint has 64 hex digits, and this has 16 characters\./,
    "add",
    "--fingerprint",
    fingerprint.slice(0, 16),
    ...file,
  );
  const together = /--fingerprint and --file go together, in the place of --public-key-hex\./;
  await refused(64, together, "add", "--fingerprint", fingerprint);
  await refused(64, together, "add", ...file);
  await refused(64, together, "add", "--fingerprint", fingerprint, ...file, "--public-key-hex", KEY);
  await refused(66, /Cannot read "none\.json"/, "add", "--fingerprint", fingerprint, "--file", "none.json");
});

function witnessKey(): string {
  return vkey("test.example/w", 4, WITNESS.publicKeyHex);
}

function signerKey(): string {
  return vkey("test.example/w", 1, SERVICE.publicKeyHex);
}

/** Returns a verifier key, made by its definition. */
function vkey(name: string, type: number, publicKeyHex: string): string {
  const typed = Buffer.concat([Buffer.of(type), Buffer.from(publicKeyHex, "hex")]);
  const id = referenceKernel.sha256(Buffer.concat([Buffer.from(`${name}\n`), typed])).subarray(0, 4);
  return `${name}+${Buffer.from(id).toString("hex")}+${typed.toString("base64")}`;
}
