/**
 * Neither the words nor the work of a refusal tells why a key is refused: `pnpm chaos:timing` measures the times; this
 * test counts the reads of the database.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { systemClock } from "@svc/host/clock";
import type { Database, Reader } from "@svc/host/store";
import { openDeployment } from "@svc/testkit/server/running-server";
import { type HashPurpose, ServerKeyedHash } from "../../src/signing/keyed-hash.ts";
import { endCredential } from "../../src/tenancy/credentials-store.ts";
import { keyUsesOf, SystemKeys } from "../../src/tenancy/system-keys.ts";

/** A keyed hash that counts what a key that is shown is compared with. */
class CountingHash extends ServerKeyedHash {
  made = 0;
  override hash(purpose: HashPurpose, value: string | Uint8Array): string {
    this.made += 1;
    return super.hash(purpose, value);
  }
  override hashes(purpose: HashPurpose, value: string): readonly string[] {
    const all = super.hashes(purpose, value);
    this.made += all.length - 1;
    return all;
  }
}

for (const [when, earlier, hashes] of [
  ["", null, 1],
  [", after a rotation of the pepper too", Buffer.alloc(32, 9), 2],
] as const)
  test(`an unknown id, a wrong secret, a key that is revoked and one whose time is over: the same work${when}`, (t) =>
    refusedAlike(t, earlier, hashes));

async function refusedAlike(t: TestContext, earlier: Uint8Array | null, hashes: number): Promise<void> {
  const { made, database } = await openDeployment(t);
  const { tenant_id: tenantId, system_id: systemId, api_key: key, data_folder: folder } = made;
  let reads: boolean[] = [];
  const counted: Database = {
    ...database,
    write: (work) => database.write(work),
    read: (work) =>
      database.read((reader) => {
        const first: Reader["first"] = async <Row>(sql: string, ...parameters: (string | number | null)[]) => {
          const row = await reader.first<Row>(sql, ...parameters);
          reads.push(row !== null);
          return row;
        };
        return work({
          all: (sql, ...parameters) => reader.all(sql, ...parameters),
          first,
          tables: () => reader.tables(),
          isCopy: () => reader.isCopy(),
        });
      }),
  };
  const keyedHash = new CountingHash(readFileSync(join(folder, "pepper")), earlier);
  const keys = new SystemKeys({
    database: counted,
    clock: systemClock,
    keyedHash,
    uses: keyUsesOf({ database: counted }),
  });
  const actor = { tenantId, kind: "service", id: "svc-server", roles: [] } as const;
  const make = (expiresAt: string | null) =>
    database.write((writer) => keys.create(writer, { tenantId, systemId, expiresAt }, actor));
  const [revoked, expired] = [await make(null), await make("2026-01-01T00:00:00.000Z")];
  await database.write((writer) => endCredential(writer, `key_${revoked.split("_")[2]}`, "2026-01-01T00:00:00.000Z"));

  const readsOf = async (shown: string) => {
    [reads, keyedHash.made] = [[], 0];
    const found = await keys.find(`Bearer ${shown}`);
    // A found key counts for one turn of the event loop.
    await turn();
    return { isFound: found !== null, reads: reads.sort(), hashes: keyedHash.made };
  };
  assert.deepEqual(await readsOf(key ?? ""), { isFound: true, reads: [true], hashes });
  const secret = "A".repeat(43);
  const [id = ""] = /^svc_sk_[0-9a-z]+_/.exec(key ?? "") ?? [];
  for (const shown of [
    `svc_sk_${"0".repeat(26)}_${secret}`,
    id + secret,
    revoked,
    `${revoked.slice(0, 34)}${secret}`,
    expired,
  ])
    assert.deepEqual(await readsOf(shown), { isFound: false, reads: [false, true], hashes }, shown);
}
