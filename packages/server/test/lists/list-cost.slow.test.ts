/**
 * A page costs a page: over a million rows each list examines no more than its bound under any filter, each filter has
 * its index, and short pages lead on. Rows are counted where SQLite looks at them (counting-database.ts); time is not
 * measured.
 */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { type Contract, contractsOf } from "@svc/api";
import { MAX_EXAMINED_ROWS } from "@svc/api/limits";
import type { Call, Route } from "@svc/host/http";
import type { Principal } from "@svc/host/principal";
import { ReadExports } from "../../src/exports/read-exports.ts";
import { mainRoutes } from "../../src/serving/app.ts";
import type { Service } from "../../src/serving/open-service.ts";
import { ReadStream } from "../../src/streams/read-stream.ts";
import type { CountingDatabase, Looked } from "./counting-database.ts";
import { idOf, type LargeDeployment, makeLargeDeployment, openCounted, ROWS } from "./large-deployment.ts";
import { indexesOf, most } from "./list-bounds.ts";

/** The values of one filter of a list. */
interface Filter {
  /** Matches nothing. */
  readonly none: string;
  /** Each matches one half of the rows: the odd numbers, the even ones; null if no value does. */
  readonly halves: readonly [odd: string | null, even: string | null];
}

interface List {
  readonly path?: Readonly<Record<string, string>>;
  readonly filters: Readonly<Record<string, Filter>>;
  /** Parameters that narrow nothing by the content of rows. */
  readonly plain?: Readonly<Record<string, string>>;
  /** The indexes that may lead, by the given filters; `""`: without filters. */
  readonly indexes: Readonly<Record<string, readonly string[]>>;
}

let large: LargeDeployment;
let service: Service;
let database: CountingDatabase;
let routes: readonly Route[];
let lists: Readonly<Record<string, List>>;

before(async () => {
  large = await makeLargeDeployment();
  const { made, streamId, logId } = large;
  const opened = await openCounted(large);
  ({ service, database } = opened);
  routes = mainRoutes(service, opened.config);
  const events = {
    source_ref: { none: "nope", halves: ["ref-1", "ref-0"] },
    event_type: { none: "nope", halves: ["type-1", "type-0"] },
  } as const;
  const byRef = "events_by_source_ref";
  lists = {
    "/v2/streams": {
      filters: {
        use_case: { none: "nope", halves: ["use-1", "use-0"] },
        class: { none: "lifecycle", halves: ["provenance", "legacy"] },
      },
      indexes: {
        "": ["streams_of_system", "streams_by_class"],
        use_case: ["streams_by_use_case", "streams_by_class"],
        class: ["streams_by_class"],
        "class use_case": ["streams_by_use_case", "streams_by_class"],
      },
    },
    "/v2/streams/{streamId}/events": {
      path: { streamId },
      filters: events,
      plain: { from_seq_no: "1000" },
      indexes: {
        "": ["sqlite_autoindex_events_2"],
        source_ref: [byRef],
        event_type: ["events_by_type"],
        "event_type source_ref": [byRef, "events_by_type"],
      },
    },
    "/v2/streams/{streamId}/events of a log": {
      path: { streamId: logId },
      filters: events,
      plain: { from_seq_no: "1000" },
      indexes: {
        "": ["sqlite_autoindex_events_2"],
        source_ref: [byRef],
        event_type: ["logged_events_by_type"],
        "event_type source_ref": [byRef, "logged_events_by_type"],
      },
    },
    "/v2/streams/{streamId}/windows": {
      path: { streamId },
      filters: {},
      indexes: { "": ["sqlite_autoindex_windows_2"] },
    },
    "/v2/streams/{streamId}/checkpoints": {
      path: { streamId },
      filters: {},
      indexes: { "": ["sqlite_autoindex_checkpoints_2"] },
    },
    "/v2/streams/{streamId}/forks": { path: { streamId }, filters: {}, indexes: { "": ["sqlite_autoindex_forks_3"] } },
    "/v2/anchors": { filters: {}, indexes: { "": ["sqlite_autoindex_epochs_1"] } },
    "/v2/forks": { filters: {}, indexes: { "": ["sqlite_autoindex_log_forks_2"] } },
    "/v1/events": {
      filters: {
        source_ref: { none: "nope", halves: ["ref-1", "ref-0"] },
        type: { none: "nope", halves: ["type-1", "type-0"] },
        status: { none: "nope", halves: ["status-1", "status-0"] },
        // Odd numbers occurred in 2030, even ones in 2020.
        occurred_from: { none: "2050-01-01T00:00:00Z", halves: ["2025-01-01T00:00:00Z", null] },
        occurred_before: { none: "2000-01-01T00:00:00Z", halves: [null, "2025-01-01T00:00:00Z"] },
      },
      plain: { system_id: made.system_id },
      indexes: {
        "": ["event_logs_of_system", "sqlite_autoindex_events_2"],
        source_ref: ["event_logs_of_system", byRef],
        type: ["event_logs_of_system", "logged_events_by_type"],
        status: ["event_logs_of_system", "logged_events_by_status"],
        "status type": ["event_logs_of_system", "logged_events_by_both"],
        occurred_from: ["event_logs_of_system", "logged_events_by_time", "sqlite_autoindex_streams_1"],
      },
    },
    "/v1/exports": {
      filters: { state: { none: "ready", halves: ["failed", "deleted"] } },
      indexes: { "": ["exports_of_actor", "sqlite_autoindex_export_ranges_1"], state: ["exports_by_state"] },
    },
  };
});

function principal(streams: readonly string[] | null): Principal {
  const { tenant_id: tenantId, system_id: id } = large.made;
  return { tenantId, kind: "system", id, roles: [], limits: { actions: null, streams } };
}

function routeOf(name: string): Route {
  const path = name.split(" ")[0];
  const found = routes.find(({ contract }) => contract.method === "GET" && contract.path === path);
  assert.ok(found, name);
  return found;
}

interface PageSeen {
  readonly items: readonly Record<string, unknown>[];
  readonly next_cursor: string | null;
  readonly looked: Looked;
}

/** Resolves to a page as the route answers it. */
async function page(
  name: string,
  query: Readonly<Record<string, string>>,
  { streams = null }: { readonly streams?: readonly string[] | null } = {},
): Promise<PageSeen> {
  const route = routeOf(name);
  const read = Object.entries(route.contract.query).map(([parameter, { read }]) => {
    const value = read(query[parameter] ?? null);
    assert.ok(typeof value === "object", `${parameter} ${JSON.stringify(value)}`);
    return [parameter, value.value];
  });
  const call = {
    path: lists[name]?.path ?? {},
    query: Object.fromEntries(read),
    principal: principal(streams),
    asker: "a",
    used: () => undefined,
  };
  const answer = await route.handle(call as unknown as Call);
  assert.ok("text" in answer);
  return { ...JSON.parse(`${answer.text}`), looked: database.looked() };
}

/** Returns every choice of some of the names. */
function choices(names: readonly string[]): string[][] {
  return Array.from({ length: 2 ** names.length }, (_, bits) => names.filter((_, index) => (bits >> index) % 2 === 1));
}

/** Returns a query in which each of several filters matches half of the rows, and all together match nothing. */
function nothingOf(filters: Readonly<Record<string, Filter>>, names: readonly string[]): Record<string, string> {
  const [only = ""] = names;
  if (names.length === 1) return { [only]: filters[only]?.none ?? "" };
  const isOdd = (name: string) => filters[name]?.halves[1] === null;
  const first = names.find(isOdd) ?? names.find((name) => filters[name]?.halves[0] !== null) ?? only;
  return Object.fromEntries(
    names.map((name) => {
      const [odd, even] = (filters[name] as Filter).halves;
      return [name, (name === first ? odd : (even ?? odd)) ?? ""];
    }),
  );
}

/** The indexes for finding the stream that a path names, before its list is read. */
const OF_VISIBLE = ["sqlite_autoindex_streams_1", "sqlite_autoindex_systems_1", "sqlite_autoindex_tenants_1"];

test("every list that a request reaches is here, with each of its parameters", () => {
  // A page has these members (packages/api/src/pages.ts), and every list of rows that grow has pages.
  const isPage = ({ answer }: Contract) => {
    const { properties = {} } = answer.schema as { readonly properties?: Readonly<Record<string, unknown>> };
    return "items" in properties || "next_cursor" in properties;
  };
  const isRead = ({ method, query }: Contract) => method === "GET" && ("cursor" in query || "limit" in query);
  const names = new Set(Object.keys(lists).map((name) => name.split(" ")[0]));
  const contracts = contractsOf({ withMetrics: false });
  const paths = contracts.filter((one) => isPage(one) || isRead(one)).map(({ path }) => path);
  assert.deepEqual([...names].sort(), [...new Set(paths)].sort());
  for (const [name, { filters, plain = {} }] of Object.entries(lists)) {
    const known = ["cursor", "limit", ...Object.keys(filters), ...Object.keys(plain)];
    assert.deepEqual(Object.keys(routeOf(name).contract.query).sort(), known.sort(), name);
  }
});

test("what matches nothing is found by its indexes, and within the bound; a short page leads on", async () => {
  for (const [name, { filters, plain = {}, indexes, path }] of Object.entries(lists))
    for (const names of choices(Object.keys(filters)))
      for (const given of [{}, plain]) {
        const query = { ...given, ...nothingOf(filters, names) };
        const key = [...names].sort().join(" ");
        let cursor: string | null = "";
        for (let pages = 0; pages < 3 && cursor !== null; pages++) {
          const asked: Record<string, string> = cursor === "" ? query : { ...query, cursor };
          const seen: PageSeen = await page(name, asked);
          const what = `${name} ${JSON.stringify(asked)} ${JSON.stringify(seen.looked.rows)}`;
          assert.ok(seen.looked.total <= most(names), what);
          if (names.length > 0) assert.deepEqual(seen.items, [], what);
          const visible = path === undefined ? [] : OF_VISIBLE;
          const expected = indexes[key];
          const used = indexesOf(seen.looked).filter((index) => !visible.includes(index));
          if (expected !== undefined) assert.deepEqual(used, [...expected].sort(), what);
          if (names.length === 1) assert.equal(seen.next_cursor, null, `one filter leads to the end: ${what}`);
          assert.notEqual(seen.next_cursor, cursor, what);
          cursor = seen.next_cursor;
        }
      }
});

test("a key that is kept to streams looks at those of its streams, and at no more than the bound", async () => {
  const kept = { streams: [idOf("str", 1), idOf("str", ROWS)] };
  for (const query of [{}, { use_case: "use-1" }, { class: "provenance" }, { use_case: "use-1", class: "legacy" }]) {
    const { looked } = await page("/v2/streams", query, kept);
    assert.ok(looked.total <= 10, `${JSON.stringify(query)} ${JSON.stringify(looked.rows)}`);
    indexesOf(looked);
  }
  for (const query of [{}, { state: "deleted" }] as Record<string, string>[]) {
    const { items, next_cursor, looked } = await page("/v1/exports", query, { streams: [idOf("str", 2)] });
    assert.ok(looked.total <= most(["state"]), JSON.stringify(looked.rows));
    assert.deepEqual(items, []);
    assert.notEqual(next_cursor, null);
    indexesOf(looked);
  }
});

test("pages that are short add up to the list", async () => {
  // Both filters match half of the stream; only its last event matches both.
  const { streamId } = large;
  const last = ROWS;
  await database.write((writer) =>
    writer.run("UPDATE events SET source_ref = 'ref-1' WHERE stream_id = $1 AND seq_no = $2", streamId, last),
  );
  const query = { event_type: "type-0", source_ref: "ref-1" };
  const found: unknown[] = [];
  let pages = 0;
  for (let cursor: string | null = ""; cursor !== null; pages++) {
    const asked: Record<string, string> = cursor === "" ? query : { ...query, cursor };
    const seen: PageSeen = await page("/v2/streams/{streamId}/events", asked);
    found.push(...seen.items.map(({ seq_no }) => seq_no));
    cursor = seen.next_cursor;
  }
  assert.deepEqual(found, [last]);
  assert.ok(pages <= ROWS / MAX_EXAMINED_ROWS + 1, `${pages} pages`);
  // By the type alone it is on the first page that begins before it.
  const { items } = await page("/v2/streams/{streamId}/events", { event_type: "type-0", from_seq_no: `${last}` });
  assert.deepEqual(
    items.map(({ seq_no }) => seq_no),
    [last],
  );
});

test("a cursor of another list, stream or tenant shows nothing but one's own", async () => {
  const { next_cursor: cursor } = await page("/v2/streams", { limit: "1" });
  assert.ok(cursor !== null);
  const stranger = { ...principal(null), tenantId: "ten_other", id: "sys_other" };
  const list = await new ReadStream(service.context).streams(
    stranger,
    { useCase: null, streamClass: null },
    { limit: 50, after: idOf("str", 1) },
  );
  assert.deepEqual(list, { items: [], next_cursor: null });
  const exports = await new ReadExports(service.context.database).list(stranger, null, {
    limit: 50,
    after: idOf("exp", 1),
  });
  assert.deepEqual(exports, { items: [], next_cursor: null });
  database.looked();
});
