/**
 * The parts of the service's contract that the client states by itself agree with the contract: the names and values of
 * filters, and the events and streams that are sent. All other wire types are the contract's own. `tsc` checks the
 * types, the tests check the names.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventLog, exports, type keys, type Parameter, policies, sealing, streams } from "@svc/api";
import type { EventInput } from "@svc/core";
import type { EventFilter, ExportsClient, LogFilter, StreamFilter, StreamInput, SvcClient } from "../src/index.ts";

/** Compiles only if each of the two is assignable to the other. */
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : never) : never;
const holds = (..._types: true[]) => undefined;

/** A query as it is sent: the values of its parameters, and cursors as texts. */
type Sent<Query extends Readonly<Record<string, Parameter<unknown>>>> = {
  [Name in keyof Query]: Name extends "cursor"
    ? string
    : Query[Name] extends Parameter<infer Value>
      ? NonNullable<Value>
      : never;
};
type ExportFilter = NonNullable<Parameters<ExportsClient["list"]>[0]>;
type Names<Filter> = Readonly<Record<keyof Filter, true>>;

test("a list is asked for by the parameters of its route, each with its values", () => {
  holds(
    true satisfies Same<Required<LogFilter>, Sent<typeof eventLog.list.query>>,
    true satisfies Same<Required<StreamFilter>, Sent<typeof streams.list.query>>,
    true satisfies Same<Required<EventFilter>, Sent<typeof streams.events.query>>,
    true satisfies Same<Required<ExportFilter>, Sent<typeof exports.list.query>>,
  );
  const page = { limit: true, cursor: true } as const;
  const ofLog: Names<LogFilter> = {
    ...page,
    type: true,
    status: true,
    source_ref: true,
    system_id: true,
    occurred_from: true,
    occurred_before: true,
  };
  const ofStreams: Names<StreamFilter> = { ...page, use_case: true, class: true };
  const ofEvents: Names<EventFilter> = { ...page, event_type: true, source_ref: true, from_seq_no: true };
  const ofExports: Names<ExportFilter> = { ...page, state: true };
  for (const [names, { query }] of [
    [ofLog, eventLog.list],
    [ofStreams, streams.list],
    [ofEvents, streams.events],
    [ofExports, exports.list],
  ] as const)
    assert.deepEqual(Object.keys(names).sort(), Object.keys(query).sort());
  // The client writes these two into its paths.
  assert.ok("digest" in policies.policy.query && "from" in sealing.consistency.query);
});

test("what is sent and answered is what the contract has", () => {
  holds(
    true satisfies Same<EventInput, streams.EventBody>,
    true satisfies Same<Required<StreamInput>, streams.StreamBody>,
    true satisfies keys.Health extends Awaited<ReturnType<SvcClient["health"]>> ? true : never,
  );
  const ofStream: Names<StreamInput> = { system_id: true, use_case: true, policy_id: true, metadata: true };
  const ofEvent: Names<EventInput> = { source_ref: true, event_type: true, occurred_at: true, payload: true };
  assert.deepEqual(Object.keys(ofStream), Object.keys(streams.StreamBody.properties));
  assert.deepEqual(Object.keys(ofEvent), Object.keys(streams.EventBody.properties));
});
