/** Contracts and routes: the server binds each contract once, and no other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contractsOf } from "@svc/api";
import { startServer } from "@svc/testkit/server/running-server";
import { mainRoutes } from "../src/serving/app.ts";
import { readConfig } from "../src/settings/config.ts";
import { THIN_SERVER } from "../src/thin-server/program.ts";

test("each contract is bound once; that of the metrics where they are served", async (t) => {
  const { server } = await startServer(t);
  for (const token of ["", "sixteen-letters!"]) {
    const bound = mainRoutes(server.service, readConfig(THIN_SERVER, { SVC_METRICS_TOKEN: token })).map(
      ({ contract }) => contract,
    );
    const contracts = contractsOf({ withMetrics: token !== "" });
    assert.deepEqual(bound.map(nameOf).sort(), contracts.map(nameOf).sort());
    for (const contract of contracts) assert.ok(bound.includes(contract), nameOf(contract));
    assert.equal(new Set(contracts.map(nameOf)).size, contracts.length);
  }
});

function nameOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`;
}
