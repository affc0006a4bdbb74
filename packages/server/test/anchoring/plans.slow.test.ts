/** The statements of anchoring, which run only beside a chain: they find their rows by an index, as all others do. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { systemClock } from "@svc/host/clock";
import { ON_FILE } from "@svc/testkit/drivers";
import { anchored, contractOnChain, environmentFor } from "@svc/testkit/server/anchored";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { kernel } from "../../src/kernel.ts";
import { serve } from "../../src/serving/serve.ts";
import { readConfig } from "../../src/settings/config.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";
import { type ListingDatabase, openListing } from "../plans/statements-of.ts";
import { wholeReads } from "../plans/whole-reads.ts";

/** A part of a statement of each step: sent, mined, final; gone, although it was final; the figures. */
const STEPS = [
  "INSERT INTO anchor_transactions",
  "UPDATE anchorings SET",
  "INSERT INTO mined_epochs",
  "DELETE FROM anchor_transactions",
  "INSERT INTO voided_epochs",
  "FROM voided_epochs v",
  "DELETE FROM mined_epochs",
  "SUM(cost_gwei",
  "INSERT INTO anchoring_state",
];

test("every statement of an anchoring server finds its rows by an index", ON_FILE, async (t) => {
  const on = await contractOnChain(t);
  const made = await makeDeployment(join(temporaryFolder(), "data"));
  const databases: ListingDatabase[] = [];
  const settings = {
    SVC_PORT: "0",
    SVC_LOG_LEVEL: "silent",
    SVC_ADDRESS_REQUESTS_PER_SECOND: "0",
    SVC_ANCHOR_CONFIRMATIONS: "2",
  };
  const config = readConfig(THIN_SERVER, { ...environmentFor(on), ...settings, SVC_DATA: made.data_folder });
  const server = await serve(THIN_SERVER, config, {
    kernel,
    clock: systemClock,
    openDatabase: (...words) => {
      const database = openListing(...words);
      databases.push(database);
      return database;
    },
  });
  t.after(() => server.close());
  const client = new Client(server.url, made.api_key ?? "");
  const next = async (event: number) => {
    await client.append(made.stream_id, loan(event), `event-${event}`);
    await client.witnessed(made.stream_id, event);
    return anchored(client, on.chain, made.stream_id);
  };
  const { block_number } = await next(1);
  await on.chain.call("anvil_reorg", Number(await on.chain.call("eth_blockNumber")) - (block_number ?? 0) + 1, []);
  await next(2);
  const statements = databases.flatMap((database) => [...database.statements]);
  for (const step of STEPS)
    assert.ok(
      statements.some((sql) => sql.includes(step)),
      step,
    );
  const database = new DatabaseSync(join(made.data_folder, "svc.db"), { readOnly: true });
  t.after(() => database.close());
  const ofAnchoring = statements.filter((sql) => /anchor|mined_epochs|voided_epochs/.test(sql));
  assert.deepEqual(
    ofAnchoring.flatMap((sql) => wholeReads(database, sql).map((table) => ({ table, sql }))),
    [],
  );
});
