/** The settings of anchoring: all four or none, each fault named, and no secret repeated. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "@svc/host/settings";
import { anchoringOf, chainOf } from "../../src/chain/settings.ts";
import { readConfig } from "../../src/settings/config.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";

const WHOLE = {
  SVC_DATA: "/var/lib/svc",
  SVC_ANCHOR_NETWORK: "eip155:1",
  SVC_ANCHOR_RPC: "https://node.example/v1/secret-of-the-operator",
  SVC_ANCHOR_CONTRACT: `0x${"AB".repeat(20)}`,
  SVC_ANCHOR_KEY_FILE: "/etc/svc/anchoring-key",
};

function mistakesOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(THIN_SERVER, environment);
    return [];
  } catch (error) {
    assert.ok(error instanceof UsageError);
    return error.mistakes;
  }
}

test("nothing is anchored by default, and all is with four settings", () => {
  assert.equal(anchoringOf(readConfig(THIN_SERVER, {})), null);
  const config = anchoringOf(readConfig(THIN_SERVER, WHOLE));
  assert.deepEqual(
    [config?.network, config?.chainId, config?.contract, config?.confirmations],
    ["eip155:1", 1, `0x${"ab".repeat(20)}`, 32],
  );
});

test("several nodes stand with commas or blanks between, in their order", () => {
  const config = anchoringOf(
    readConfig(THIN_SERVER, { ...WHOLE, SVC_ANCHOR_RPC: "https://b.example/v1,\n https://a.example" }),
  );
  assert.deepEqual(config?.rpc, ["https://b.example/v1", "https://a.example/"]);
});

test("without the contract a contract can be made, and nothing is anchored", () => {
  const { SVC_ANCHOR_CONTRACT: _contract, ...others } = WHOLE;
  const config = readConfig(THIN_SERVER, others);
  assert.equal(anchoringOf(config), null);
  assert.equal(chainOf(config)?.chainId, 1);
});

test("what is left out of the others, or wrong, is named, and no secret is repeated", () => {
  for (const name of ["SVC_ANCHOR_NETWORK", "SVC_ANCHOR_RPC", "SVC_ANCHOR_KEY_FILE"] as const) {
    const mistakes = mistakesOf({ ...WHOLE, [name]: "" });
    assert.equal(mistakes.length, 1);
    assert.match(mistakes[0] ?? "", new RegExp(`Set ${name} too`));
  }
  const wrong: Record<string, string> = {
    SVC_ANCHOR_NETWORK: "mainnet",
    SVC_ANCHOR_RPC: "ftp://user:secret-of-the-operator@node.example",
    SVC_ANCHOR_CONTRACT: "0x12",
    SVC_ANCHOR_KEY_FILE: "/var/lib/svc/anchoring-key",
    SVC_ANCHOR_CONFIRMATIONS: "0",
    SVC_ANCHOR_DAY_BUDGET_GWEI: "-1",
    SVC_ANCHOR_POLL_MS: "1",
    SVC_ANCHOR_STUCK_MS: "x",
    SVC_ANCHOR_TIMEOUT_MS: "1",
  };
  for (const [name, value] of Object.entries(wrong)) {
    const mistakes = mistakesOf({ ...WHOLE, [name]: value });
    assert.ok(
      mistakes.some((mistake) => mistake.includes(name)),
      `${name}: ${mistakes}`,
    );
    assert.ok(!mistakes.some((mistake) => mistake.includes("secret-of-the-operator")), `${mistakes}`);
  }
  const nodes = (text: string) => mistakesOf({ ...WHOLE, SVC_ANCHOR_RPC: text })[0] ?? "";
  assert.match(nodes("https://a.example/secret-of-the-operator, node.example"), /no address of a node in place 2/);
  assert.match(nodes("https://a.example https://a.example/"), /names one node twice/);
  assert.match(nodes(Array.from({ length: 9 }, (_, at) => `https://${at}.example`).join(",")), /names 9 nodes/);
  assert.match(mistakesOf({ ...WHOLE, SVC_ANCHOR_KEY_FILE: "/var/lib/svc/key" })[0] ?? "", /a copy of the folder/);
  assert.deepEqual(mistakesOf({ ...WHOLE, SVC_ANCHOR_KEY_FILE: "/var/lib/svc-key" }), []);
});
