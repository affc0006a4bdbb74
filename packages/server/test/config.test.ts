/** Configuration: every mistake at once, and what wins over what. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig, UsageError } from "../src/config.ts";

test("all mistakes are listed at once, each with its name", () => {
  const environment = {
    SVC_PORT: "70000",
    SVC_LOG_LEVEL: "loud",
    SVC_SEAL_INTERVAL_MS: "1e3",
    LEGACY_STREAM_CREATION_ENABLED: "yes",
    SVC_ORIGIN: "https://example.com",
  };
  assert.throws(
    () => readConfig(environment),
    (error) => error instanceof UsageError && Object.keys(environment).every((name) => error.message.includes(name)),
  );
});

test("options win over the environment, the environment over defaults, and empty variables do not count", () => {
  const config = readConfig({ SVC_PORT: "1234", SVC_HOST: "", SVC_DATA: "/somewhere" }, { port: "0" });
  assert.deepEqual([config.port, config.host, config.dataFolder], [0, "127.0.0.1", "/somewhere"]);
  assert.deepEqual([config.sealIntervalMs, config.legacyStreamCreationEnabled, config.origin], [250, true, null]);
});
