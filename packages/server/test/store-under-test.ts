/**
 * The database for the contract tests of the stores, and its rows: two tenants, each with two systems and several
 * streams. The results of a store must not depend on the database behind it, so these tests fill it through the stores
 * alone.
 */
import type { TestContext } from "node:test";
import type { HashHex, Kid, SignatureHex } from "@svc/core";
import { serviceTime } from "@svc/host/clock";
import type { Principal } from "@svc/host/principal";
import type { Database, Reader, Writer } from "@svc/host/store";
import { type EventRow, insertEvents } from "../src/streams/events-store.ts";
import { PURPOSES } from "../src/streams/purposes.ts";
import { findStream, insertStream, moveHeads, type NewStream } from "../src/streams/streams-store.ts";
import { insertPrincipal, insertSystem, insertTenant } from "../src/tenancy/tenants-store.ts";
import { emptyDatabase } from "./empty-database.ts";

/** A database with this release's schema. */
export interface Store {
  readonly database: Database;
  readonly read: <T>(work: (reader: Reader) => Promise<T>) => Promise<T>;
  readonly write: <T>(work: (writer: Writer) => Promise<T>) => Promise<T>;
}

/** Resolves to a new, empty database. To test another driver, use it here. */
export async function storeUnderTest(t: Pick<TestContext, "after">): Promise<Store> {
  const database = await emptyDatabase(t);
  return { database, read: (work) => database.read(work), write: (work) => database.write(work) };
}

/** Returns a time, `seconds` after the first. */
export function at(seconds: number): string {
  return serviceTime(Date.parse("2026-03-01T10:00:00.000Z") + seconds * 1000);
}

/** Returns a hash that contains its number. */
export function hashNo(number: number): HashHex {
  return number.toString(16).padStart(64, "0") as HashHex;
}

/** Returns rows as plain objects, because databases may give them other prototypes. */
export function plain<Row extends object>(rows: readonly Row[]): Row[] {
  return rows.map((row) => ({ ...row }));
}

/** Tenants have ids in the form of evidence; those of systems and streams only tell their owner. */
export const BANK = `tnt_${"0".repeat(22)}bank`;
/** The other tenant. */
export const INSURER = `tnt_${"0".repeat(21)}cares`;
/** Its time zone is its tenant's. */
export const LOANS = { tenantId: BANK, systemId: "sys_bank_loans" } as const;
/** The bank's other system. */
export const CARDS = { tenantId: BANK, systemId: "sys_bank_cards" } as const;
/** A system of the insurer. */
export const CLAIMS = { tenantId: INSURER, systemId: "sys_insurer_claims" } as const;
/** The insurer's other system. */
export const FRAUD = { tenantId: INSURER, systemId: "sys_insurer_fraud" } as const;

/** Returns the principal of a system. */
export function principalOf({
  tenantId,
  systemId,
}: typeof LOANS | typeof CARDS | typeof CLAIMS | typeof FRAUD): Principal {
  return { tenantId, kind: "system", id: systemId, roles: [] };
}

/** Returns the service itself, in a tenant. */
export function serviceIn(tenantId: string): Principal {
  return { tenantId, kind: "service", id: "svc-server", roles: [] };
}

/** Resolves to the same with both tenants and their systems. */
export async function storeWithTenants(t: Pick<TestContext, "after">): Promise<Store> {
  const store = await storeUnderTest(t);
  await store.write(async (writer) => {
    await insertTenant(writer, { tenantId: BANK, name: "Bank", timeZone: "Europe/Berlin" }, at(1));
    await insertTenant(writer, { tenantId: INSURER, name: "Insurer", timeZone: "America/Lima" }, at(0));
    for (const tenantId of [BANK, INSURER]) await insertPrincipal(writer, serviceIn(tenantId), at(1));
    await insertSystem(writer, { ...LOANS, name: "Loans", sourceTimezone: null }, at(2));
    await insertSystem(writer, { ...CARDS, name: "Cards", sourceTimezone: "Asia/Tokyo" }, at(1));
    await insertSystem(writer, { ...CLAIMS, name: "Claims", sourceTimezone: null }, at(1));
    await insertSystem(writer, { ...FRAUD, name: "Fraud", sourceTimezone: "UTC" }, at(1));
  });
  return store;
}

/** Returns a stream to be made, with the given changes. */
export function streamOf(
  system: { readonly tenantId: string; readonly systemId: string },
  stream_id: string,
  changes: Partial<NewStream> = {},
): NewStream {
  return {
    stream_id,
    tenant_id: system.tenantId,
    system_id: system.systemId,
    class: "legacy",
    use_case: "decisions",
    policy_id: "default",
    policy_explicit: false,
    metadata: `{"of":"${stream_id}"}`,
    created_at: at(10),
    actor_id: system.systemId,
    head_event_hash: hashNo(0),
    ...changes,
  };
}

/** Returns the lifecycle stream of a tenant, to be made. */
export function lifecycleOf(tenantId: string, stream_id: string): NewStream {
  return streamOf({ tenantId, systemId: "" }, stream_id, {
    class: "lifecycle",
    system_id: null,
    use_case: PURPOSES.evidence,
  });
}

/** Two streams of each system, the lifecycle stream of each tenant, and one of loans that is the system's event log. */
export const STREAMS: readonly NewStream[] = [
  streamOf(LOANS, "str_bank_1", { use_case: "loans" }),
  streamOf(CARDS, "str_bank_2", { use_case: "loans" }),
  lifecycleOf(BANK, "str_bank_3"),
  streamOf(LOANS, "str_bank_4", { use_case: "claims", policy_id: "strict", policy_explicit: true }),
  streamOf(LOANS, "str_bank_5", { use_case: "loans", event_log_no: 1 }),
  streamOf(CARDS, "str_bank_6", { use_case: "cards" }),
  streamOf(CLAIMS, "str_insurer_1", { use_case: "loans" }),
  streamOf(FRAUD, "str_insurer_2", { use_case: "claims" }),
  lifecycleOf(INSURER, "str_insurer_3"),
  streamOf(CLAIMS, "str_insurer_4", { use_case: "claims" }),
  streamOf(FRAUD, "str_insurer_5", { use_case: "fraud" }),
];

/** Resolves to the same with the streams. */
export async function storeWithStreams(t: Pick<TestContext, "after">): Promise<Store> {
  const store = await storeWithTenants(t);
  await store.write(async (writer) => {
    for (const stream of STREAMS) await insertStream(writer, stream);
  });
  return store;
}

/** Returns an event of a stream by its number, with the given changes. */
export function eventOf(stream_id: string, seq_no: number, changes: Partial<EventRow> = {}): EventRow {
  const stream_event_id = `${stream_id.replace("str", "sev")}_${seq_no}`;
  return {
    stream_event_id,
    stream_id,
    seq_no,
    source_ref: `ref-${seq_no % 2}`,
    event_type: `type-${seq_no % 3}`,
    occurred_at: at(seq_no),
    received_at: at(100 + seq_no),
    payload: `{"in":"${stream_event_id}"}`,
    payload_salt: `salt of ${stream_event_id}`,
    payload_hash: hashNo(seq_no + 1000),
    previous_event_hash: hashNo(seq_no - 1),
    event_hash: hashNo(seq_no),
    stream_head_hash: hashNo(seq_no + 2000),
    receipt_kid: "kid" as Kid,
    receipt_signature: "signature" as SignatureHex,
    ...changes,
  };
}

/** Stores events of one stream, and moves its head over them. */
export async function record({ write }: Store, tenantId: string, events: readonly EventRow[]): Promise<void> {
  await write(async (writer) => {
    for (const event of events) {
      const stream = await findStream(writer, tenantId, event.stream_id);
      if (stream === null) throw new Error(`there is no ${event.stream_id}`);
      const context = {
        tenantId,
        actor: serviceIn(tenantId),
        occurredAtUtc: event.occurred_at,
        sourceTimezone: null,
        eventLogNo: stream.event_log_no,
        status: null,
      };
      await insertEvents(writer, [{ row: event, context }]);
      const { seq_no: seqNo, event_hash: eventHash, received_at: receivedAt } = event;
      await moveHeads(writer, [{ stream, seqNo, eventHash, receivedAt }]);
    }
  });
}
