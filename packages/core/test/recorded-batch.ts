/** A batch of events and its receipts, for tests of how these are checked; and the same, checked record by record. */
import assert from "node:assert/strict";
import { id, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import {
  type EventInput,
  type Json,
  type JsonObject,
  type Kernel,
  type KeyEndorsement,
  pinKeys,
  type ReceiptRecord,
  selectKernel,
  type TrustPolicy,
} from "../src/index.ts";
import { readRecorded } from "../src/verify/recorded-batch.ts";
import { verifyParsed } from "../src/verify/verify-parsed.ts";

/** Differences from a good batch. */
export interface Given {
  readonly request?: Uint8Array;
  readonly answer?: Uint8Array;
  readonly trust?: TrustPolicy | null;
  readonly endorsements?: readonly KeyEndorsement[];
  readonly by?: Kernel;
}

export const kernel = selectKernel("wasm");
export const STREAM = id("str", 1);
export const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
export const { records } = await issueStream(4);
/** The receipts of the good batch, which does not begin with event 1. */
export const receipts = records.slice(1);
export const MEMBERS = ["source_ref", "event_type", "occurred_at", "payload"] as const;
export const events = receipts.map(eventOf);

const good = { request: bytesOf({ events }), answer: bytesOf({ receipts }), trust, endorsements: [], by: kernel };

/** Returns a value as JSON text. */
export function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** Returns the event that a record is of. */
export function eventOf({ source_ref, event_type, occurred_at, payload }: ReceiptRecord): EventInput {
  return { source_ref, event_type, occurred_at, payload: payload ?? assert.fail("a payload") };
}

/** Returns the records of a batch, if they are accepted as they stand. */
export function read(given: Given): readonly ReceiptRecord[] | null {
  const { by, ...batch } = { ...good, ...given };
  return readRecorded(by, { ...batch, streamId: STREAM });
}

/** Says whether the same is accepted record by record: parsed, verified as a stream, and compared with the events. */
export function isAccepted(given: Given): boolean {
  const { by, request, answer, trust, endorsements } = { ...good, ...given };
  const [sent, came] = [by.parseJson(request), by.parseJson(answer)];
  if (!sent.ok || !came.ok) return false;
  const [all, own] = [memberOf(sent.value, "events"), memberOf(came.value, "receipts")];
  if (!Array.isArray(all) || !Array.isArray(own) || all.length !== own.length) return false;
  const keys = endorsements.length > 0 && { key_endorsements: endorsements };
  const segment = { stream_id: STREAM, records: own as Json[], ...keys };
  const report = verifyParsed(segment, { kind: "stream", kernel: by, ...(trust !== null && { trust }) });
  const textOf = (value: Json | undefined) =>
    value === undefined ? null : Buffer.from(by.canonicalize(value)).toString("latin1");
  const isSaid = (event: Json, index: number) =>
    MEMBERS.every((name) => {
      const [sent, said] = [memberOf(event, name), memberOf(own[index] as Json, name)].map(textOf);
      return sent !== null && sent === said;
    });
  return report.verdict === (trust === null ? "untrusted" : "verified") && all.every(isSaid);
}

function memberOf(value: Json, name: string): Json | undefined {
  return typeof value === "object" && value !== null ? (value as JsonObject)[name] : undefined;
}
