/** The operator's list of actions, at any length. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Place } from "@svc/host/store";
import { ON_FILE } from "@svc/testkit/drivers";
import { type AccessFilter, accessBefore } from "../../src/tenancy/access-log-store.ts";
import { makeLargeDeployment, openCounted } from "../lists/large-deployment.ts";
import { indexesOf, most } from "../lists/list-bounds.ts";

test("the operator's list of accesses reads portions along an index", ON_FILE, async () => {
  const large = await makeLargeDeployment(20_000);
  const { service, database } = await openCounted(large);
  const none: AccessFilter = { tenantId: null, action: null, objectId: null };
  const { tenant_id: tenantId } = large.made;
  const cases: [Partial<AccessFilter>, string[]][] = [
    [{}, ["access_log_by_time"]],
    [{ tenantId: "ten_none" }, ["access_log_of_tenant"]],
    [{ action: "key.none" }, ["access_log_by_action"]],
    [{ action: "key" }, ["access_log_by_time"]],
    [{ objectId: "none" }, ["access_log_of_object"]],
    [{ tenantId, action: "event.erased" }, ["access_log_by_action", "access_log_of_tenant"]],
    [{ objectId: "object-1", action: "stream.created" }, ["access_log_by_action", "access_log_of_object"]],
    [{ objectId: "object-1", tenantId }, ["access_log_of_object", "access_log_of_tenant"]],
  ];
  for (const [filter, expected] of cases) {
    let after: Place | null = null;
    for (let portions = 0; portions < 3; portions++) {
      const part: { after: Place | null; most: number } = { after, most: 100 };
      const found = await database.read((reader) => accessBefore(reader, { ...none, ...filter }, part));
      const looked = database.looked();
      assert.ok(looked.total <= most(Object.keys(filter)), `${JSON.stringify(filter)} ${looked.total}`);
      for (const index of indexesOf(looked)) assert.ok(expected.includes(index), `${JSON.stringify(filter)} ${index}`);
      if (Object.keys(filter).length > 0) assert.deepEqual(found.rows, []);
      if (found.end === null) break;
      after = found.end;
    }
  }
  await service.close();
});
