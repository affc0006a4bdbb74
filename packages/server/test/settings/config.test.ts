/** Configuration: every mistake at once, and the order in which sources win. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { UsageError } from "@svc/host/settings";
import { command } from "@svc/testkit/server/child-process";
import { readConfig } from "../../src/settings/config.ts";
import { secretVariables } from "../../src/settings/settings.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";

test("all mistakes are listed at once, each with its name", () => {
  const environment = {
    SVC_PORT: "70000",
    SVC_HOST: "127.0.0.1:80",
    SVC_SIGNING_KEY: "no key",
    SVC_NEXT_SIGNING_KEY: "no key either",
    SVC_PKCS11_MODULE: "/usr/lib/token.so",
    SVC_KEY_REQUESTS_PER_SECOND: "many",
    SVC_ADDRESS_REQUESTS_PER_SECOND: "-1",
    SVC_TRUSTED_PROXIES: "10.0.0.0/33",
    SVC_IDEMPOTENCY_DAYS: "0",
    SVC_LOG_LEVEL: "loud",
    SVC_SEAL_INTERVAL_MS: "1e3",
    SVC_METRICS_PORT: "-1",
    SVC_METRICS_TOKEN: "too-short",
    LEGACY_STREAM_CREATION_ENABLED: "yes",
    PROVENANCE_LANE_ENABLED: "on",
    SVC_API_URL: "https://api.example/v2",
    SVC_DASHBOARD_URL: "https://user:secret@dashboard.example",
    SVC_AUDIT_URL: "http://audit.example",
    SVC_STATUS_URL: "ftp://status.example",
    SVC_MARKETPLACE_URL: "market.example",
    SVC_ORIGIN: "https://example.com",
  };
  assert.throws(
    () => readConfig(THIN_SERVER, environment),
    (error) => error instanceof UsageError && Object.keys(environment).every((name) => error.message.includes(name)),
  );
});

test("no child process inherits a variable that holds a secret", () => {
  assert.deepEqual(secretVariables(THIN_SERVER.settings).sort(), [
    "SVC_ANCHOR_RPC",
    "SVC_DATABASE_URL",
    "SVC_METRICS_TOKEN",
    "SVC_NEXT_SIGNING_KEY",
    "SVC_SIGNING_KEY",
  ]);
});

test("variables of a token that are blank say nothing", () => {
  const { keySettings } = readConfig(THIN_SERVER, { SVC_PKCS11_MODULE: " ", SVC_PKCS11_TOKEN: "\t" });
  assert.deepEqual(keySettings, { kind: "file" });
});

test("start --help lists every variable that is read, with its default, and so does the README", async () => {
  const read = new Set<string>();
  const environment = new Proxy({} as Record<string, string | undefined>, {
    get: (_none, name) => {
      read.add(String(name));
      return undefined;
    },
  });
  readConfig(THIN_SERVER, environment);
  assert.deepEqual(
    [...new Set(read)].sort(),
    Object.values(THIN_SERVER.settings)
      .map(({ variable }) => variable)
      .sort(),
  );
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const { code, out } = await command(["start", "--help"]);
  assert.equal(code, 0);
  for (const { variable, fallback } of Object.values(THIN_SERVER.settings)) {
    assert.ok(readme.includes(`\`${variable}\``) && out.includes(`  ${variable} `), variable);
    if (fallback) assert.match(out, new RegExp(` ${variable} .*\\(default: ${fallback}\\)`));
  }
});

test("options win over the environment, the environment over defaults, and empty variables do not count", () => {
  const config = readConfig(THIN_SERVER, { SVC_PORT: "1234", SVC_HOST: "", SVC_DATA: "/somewhere" }, { port: "0" });
  assert.deepEqual([config.port, config.host, config.dataFolder], [0, "127.0.0.1", "/somewhere"]);
  assert.deepEqual([config.sealIntervalMs, config.legacyStreamCreationEnabled, config.origin], [250, true, null]);
});

test("the service's faces have separate origins: https, or http on this machine", () => {
  const { apiUrl, dashboardUrl, auditUrl, statusUrl, marketplaceUrl } = readConfig(THIN_SERVER, {
    SVC_API_URL: "https://API.example:443",
    SVC_DASHBOARD_URL: "https://dashboard.example:8443",
    SVC_AUDIT_URL: "http://127.0.0.1:8787",
    SVC_STATUS_URL: "http://[::1]:8787",
  });
  assert.deepEqual(
    [apiUrl, dashboardUrl, auditUrl, statusUrl, marketplaceUrl],
    ["https://api.example", "https://dashboard.example:8443", "http://127.0.0.1:8787", "http://[::1]:8787", null],
  );
  for (const [wrong, says] of [
    [{ SVC_API_URL: "https://a.example/" }, /SVC_API_URL is no origin/],
    [{ SVC_API_URL: "https://a.example", SVC_AUDIT_URL: "https://a.example" }, /SVC_AUDIT_URL .* as SVC_API_URL is/],
    [{ SVC_API_URL: "http://127.0.0.1.example" }, /SVC_API_URL/],
  ] as const)
    assert.throws(() => readConfig(THIN_SERVER, wrong), says);
  const secret = { SVC_API_URL: "https://user:secret@a.example" };
  assert.throws(
    () => readConfig(THIN_SERVER, secret),
    (error) => error instanceof UsageError && !error.message.includes("secret"),
  );
});

test("metrics have a port that is not the service's, and a token that is long enough and never repeated", () => {
  assert.deepEqual([readConfig(THIN_SERVER, {}).metricsPort, readConfig(THIN_SERVER, {}).metricsToken], [null, null]);
  assert.throws(
    () => readConfig(THIN_SERVER, { SVC_PORT: "9000", SVC_METRICS_PORT: "9000" }),
    /SVC_METRICS_PORT is 9000, the port/,
  );
  assert.equal(readConfig(THIN_SERVER, { SVC_PORT: "0", SVC_METRICS_PORT: "0" }).metricsPort, 0);
  for (const token of ["fifteen-letters", "sixteen letters!!", "sixteen-letters\u00e4"])
    assert.throws(
      () => readConfig(THIN_SERVER, { SVC_METRICS_TOKEN: token }),
      (error) => error instanceof UsageError && !error.message.includes(token),
    );
  assert.equal(readConfig(THIN_SERVER, { SVC_METRICS_TOKEN: "sixteen-letters!" }).metricsToken, "sixteen-letters!");
});
