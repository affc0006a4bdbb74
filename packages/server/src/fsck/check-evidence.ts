/**
 * Whether the rows of a database are those that were written: every event, window, checkpoint, statement and policy is verified again by core, as an
 * auditor would, every column against what it is made from, every remembered request against its events, and every package of an export against its
 * hash. What no evidence binds, such as names and keys of tenants, is NOT checked.
 */
import { type Kernel, policyDigest, type TrustPolicy, verify, witnessPolicyDigest } from "@svc/core";
import { latest } from "@svc/host/clock";
import type { Database, Reader } from "@svc/host/store";
import type { Context } from "../context.ts";
import type { PackageFiles } from "../exports/package-files.ts";
import { newSigningKeyPem, signerOf } from "../keys/file-signer.ts";
import type { StreamRow } from "../streams/streams-store.ts";
import { ownTrust, serviceRow, signingKeys } from "../tenancy/service-store.ts";
import { checkCredentials } from "./check-credentials.ts";
import { checkEvents } from "./check-events.ts";
import { checkExports } from "./check-exports.ts";
import { keyFaults } from "./check-keys.ts";
import { checkRequests } from "./check-requests.ts";
import { checkCheckpoints, checkWindows, type SealingGround } from "./check-sealing.ts";
import { checkWitnessState } from "./check-witness.ts";
import { difference, type Fault } from "./fault.ts";
import {
  countStreams,
  type RawRow,
  rawDocuments,
  rawEndorsements,
  rawPolicies,
  rawStreams,
  rawWitnessPolicies,
  strays,
} from "./rows-store.ts";

/** What is checked, and with what. */
export type Ground = Pick<Context, "kernel" | "origin"> & { readonly database: Pick<Database, "read"> };
type StreamGround = SealingGround & Ground & Pick<EvidenceGround, "onStep">;

export interface EvidenceGround extends Ground, Pick<Context, "keyedHash"> {
  /** Null where the packages are not here, as in a backup. */
  readonly packages: PackageFiles | null;
  /** Told, in a few words, of what is looked at next. */
  readonly onStep?: (words: string) => void;
}

/** Yields what is wrong, the first bad row first within each stream. Needs no private key. */
export async function* checkEvidence({
  database,
  kernel,
  origin,
  keyedHash,
  packages,
  onStep = () => undefined,
}: EvidenceGround): AsyncGenerator<Fault> {
  // What is put together to be verified is sealed by a key that seals nothing else.
  const signer = signerOf(kernel, newSigningKeyPem(), "a key of this check alone");
  const { own, keys, endorsements } = await database.read(async (reader) => ({
    own: await ownTrust(reader, origin),
    keys: await signingKeys(reader),
    endorsements: await rawEndorsements(reader),
  }));
  const trust = { ...own, signers: [...own.signers, { kid: signer.kid, public_key_hex: signer.publicKeyHex }] };
  const ground = { database, kernel, origin, signer, keys, onStep };
  onStep("policies, keys and exports");
  const service = await database.read(serviceRow);
  const fixed = { evidence_origin: origin, pepper_mac: keyedHash.hash("pepper", "") };
  const changed = difference("service", {}, service === null ? {} : { ...service }, fixed);
  if (changed !== null) yield changed;
  const [policies, witnessPolicies] = await database.read(async (reader) => [
    await rawPolicies(reader),
    await rawWitnessPolicies(reader),
  ]);
  yield* policyFaults("policies", policies, (document) => policyDigest(kernel, document as never), kernel);
  yield* policyFaults(
    "witness_policies",
    witnessPolicies,
    (document) => witnessPolicyDigest(kernel, document as never),
    kernel,
  );
  for (const { table, id, fault } of await database.read(strays)) yield { table, row: { id }, fault };
  const documents = await database.read(rawDocuments);
  for (const { table, id, document } of documents) {
    const [problem] = verify(Buffer.from(document), { trust, kernel }).problems;
    if (problem !== undefined)
      yield { table, row: { id }, fault: `${problem.code} at ${problem.path}: ${problem.message}` };
  }
  yield* keyFaults(kernel, keys, endorsements);
  yield* checkExports({ ...ground, packages });
  yield* checkCredentials(database);
  const count = await database.read(countStreams);
  let after = "";
  for (let number = 1; ; number++) {
    // One snapshot for all that belongs to a stream: a server beside this goes on sealing it meanwhile.
    const { stream, faults } = await database.read(async (reader) => {
      const [stream] = await rawStreams(reader, after, 1);
      const snapshot = {
        ...ground,
        database: { read: <T>(work: (of: Reader) => Promise<T>) => work(reader) },
        // Streams that a server makes meanwhile come behind those that were counted.
        onStep: (words: string) => onStep(`stream ${number} of ${Math.max(number, count)}${words}`),
      };
      const faults: Fault[] = [];
      if (stream !== undefined) for await (const fault of checkStream(snapshot, trust, stream)) faults.push(fault);
      return { stream, faults };
    });
    yield* faults;
    if (stream === undefined) break;
    after = stream.stream_id;
  }
  // Behind the events, whose faults would be theirs as well.
  onStep("remembered requests");
  yield* checkRequests({ database, kernel, keyedHash });
}

/** A row that cannot even be read is a fault like any other. */
async function* checkStream(ground: StreamGround, trust: TrustPolicy, stream: StreamRow): AsyncGenerator<Fault> {
  try {
    yield* streamFaults(ground, trust, stream);
  } catch (error) {
    const fault = `what belongs to it cannot be read: ${(error as Error).message}`;
    yield { table: "streams", row: { stream_id: stream.stream_id }, fault };
  }
}

async function* streamFaults(ground: StreamGround, trust: TrustPolicy, stream: StreamRow): AsyncGenerator<Fault> {
  const { last, unwindowedSince } = yield* checkEvents(ground, trust, stream);
  const windows = yield* checkWindows(ground, stream);
  const checkpoints = yield* checkCheckpoints(ground, trust, stream);
  yield* checkWitnessState(ground, stream);
  const fault = difference("streams", { stream_id: stream.stream_id }, stream as unknown as RawRow, {
    head_seq_no: last?.seq_no ?? 0,
    head_event_hash: last?.event_hash ?? "0".repeat(64),
    last_received_at: last?.received_at ?? null,
    unwindowed_since: unwindowedSince,
    ...windows,
    ...checkpoints,
    last_sealed_at: windows.last_sealed_at && latest(windows.last_sealed_at, checkpoints.last_sealed_at),
  });
  if (fault !== null) yield fault;
}

function* policyFaults(
  table: string,
  rows: readonly RawRow[],
  digestOf: (document: unknown) => string,
  kernel: Kernel,
): Generator<Fault> {
  for (const row of rows) {
    const key = {
      policy_id: row.policy_id ?? null,
      policy_version: row.policy_version ?? null,
      tenant_id: row.tenant_id ?? null,
    };
    const parsed = kernel.parseJson(Buffer.from(String(row.document)));
    if (!parsed.ok) {
      yield { table, row: key, fault: "its document is not JSON" };
      continue;
    }
    const document = parsed.value as RawRow;
    const { policy_id = null, policy_version = null } = document;
    const expected = { policy_id, policy_version, digest: digestOf(document) };
    const fault = difference(
      table,
      key,
      row,
      "threshold" in row ? { ...expected, threshold: document.threshold } : expected,
    );
    if (fault !== null) yield fault;
  }
}
