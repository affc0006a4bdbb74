/**
 * The capabilities of the families, over the database of the stores' tests: real keys, a real kernel, and a clock that
 * only a test moves. They are for tests that call a capability itself, without a server around it. There is no folder
 * except for the packages of exports.
 */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { Channel } from "@svc/host/channel";
import { serviceTime } from "@svc/host/clock";
import { dispatchDue, Lease } from "@svc/host/jobs";
import { MetricsRegistry } from "@svc/host/metrics";
import { PartsHere } from "@svc/host/parts";
import { ReadingsHere } from "@svc/host/reads";
import { readSettings } from "@svc/host/settings";
import type { Database, EmbeddedDatabase, Writer } from "@svc/host/store";
import { withTime } from "@svc/testkit/drivers";
import { loan } from "@svc/testkit/server/loan";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { administrationAtOnce } from "../src/administration/at-once.ts";
import { ArchivedPayloads } from "../src/archived/archived-payloads.ts";
import type { AnsweringContext, Context } from "../src/context.ts";
import { issuingKernel } from "../src/issuing-kernel.ts";
import { kernel } from "../src/kernel.ts";
import { defaultPolicy } from "../src/policies/default-policy.ts";
import { insertPolicyVersion } from "../src/policies/policies-store.ts";
import { closeDueWindows } from "../src/sealing/close-windows.ts";
import { COSIGN, makeDueCheckpoints } from "../src/sealing/make-checkpoints.ts";
import { ManagedWitness } from "../src/sealing/managed-witness.ts";
import { newSigningKeyPem, signerOf } from "../src/signing/file-signer.ts";
import { keyedHashUnder } from "../src/signing/keyed-hash.ts";
import { insertService, insertSigningKey } from "../src/signing/service-store.ts";
import { SigningKey } from "../src/signing/signing-key.ts";
import { witnessKeys } from "../src/signing/witness-keys.ts";
import { Appenders } from "../src/streams/appender.ts";
import type { EventRow } from "../src/streams/events-store.ts";
import { prepareEvents } from "../src/streams/prepare-events.ts";
import { demandSealOf, findStream, insertStream } from "../src/streams/streams-store.ts";
import { WitnessMemory } from "../src/witness-memory/witness-memory.ts";
import { at, LOANS, type Store, storeWithStreams, streamOf } from "./store-under-test.ts";

/** Streams of the bank's system for loans that can be sealed: evidence demands the usual form of an id. */
export const ONE_STREAM = `str_${"0".repeat(25)}1`;
/** Another such stream. */
export const OTHER_STREAM = `str_${"0".repeat(25)}2`;

const ORIGIN = "test.example/evidence";
const PEPPER = Buffer.alloc(32, 7);

/** The capabilities of both sides of a deployment. */
export type ContextOfBoth = Context & AnsweringContext;

/** A context, and the controls of a test over it. */
export interface ContextUnderTest {
  readonly store: Store;
  readonly context: ContextOfBoth;
  /** The time, in seconds after the first as `at` counts them. */
  readonly now: { seconds: number };
}

/**
 * Returns a context over two tenants, their systems and their streams. `around`: a wrapper between it and the database.
 */
export async function contextUnderTest(
  t: Pick<TestContext, "after">,
  around: (database: Database) => Database = (database) => database,
): Promise<ContextUnderTest> {
  const store = await storeWithStreams(t);
  const [sealingPem, witnessPem] = [newSigningKeyPem(), newSigningKeyPem()];
  const signer = signerOf(kernel, sealingPem, "signing-key.pem");
  const witness = signerOf(kernel, witnessPem, "witness-key.pem");
  const keyedHash = keyedHashUnder(PEPPER);
  await store.write(async (writer) => {
    await insertService(writer, ORIGIN, keyedHash.hash("pepper", ""), at(0));
    await insertSigningKey(writer, { kid: signer.kid, public_key_hex: signer.publicKeyHex, valid_from: at(0) });
    await insertPolicyVersion(writer, defaultPolicy(kernel, ORIGIN, witness.publicKeyHex, at(0)), at(0));
    for (const streamId of [ONE_STREAM, OTHER_STREAM]) await insertStream(writer, streamOf(LOANS, streamId));
  });
  const now = { seconds: 1000 };
  // A server has its own time, which no test can move.
  const database = around(withTime(store.database, (clock) => clock()));
  const signingKey = new SigningKey(kernel, { keys: async () => [signer], place: "memory" });
  const path = join(temporaryFolder(), "data");
  const archived = new ArchivedPayloads(join(path, "archive"));
  mkdirSync(path);
  writeFileSync(join(path, "witness-key.pem"), witnessPem);
  const witnessMemory = await WitnessMemory.open(join(path, "witness.db"));
  t.after(() => witnessMemory.close());
  const context: ContextOfBoth = {
    database,
    embedded: onlyAsDatabase(database),
    kernel,
    databaseLocation: null,
    issuing: issuingKernel(kernel),
    clock: () => Date.parse(at(now.seconds)),
    origin: ORIGIN,
    signingKey,
    keyedHash,
    channel: new Channel(),
    settings: (table) => readSettings(table, {}).values,
    folder: {
      path,
      databaseFile: join(path, "svc.db"),
      markPath: join(path, "progress.json"),
      witnessMemoryPath: join(path, "witness.db"),
      exportsPath: join(path, "exports"),
      archivePath: join(path, "archive"),
      pepper: PEPPER,
      nextPepper: null,
    },
    parts: new PartsHere((): Context => context),
    readings: new ReadingsHere({ database, kernel, signingKey, archived }),
    archived,
    witnessMemory,
    get administration() {
      return administrationAtOnce(context);
    },
    metrics: new MetricsRegistry(),
  };
  assert.equal(serviceTime(context.clock()), at(1000));
  return { store, context, now };
}

/** Appends events to a stream, by one request of a system, in one transaction. */
export async function append(
  { database, issuing, ...context }: Context,
  { tenantId, systemId }: { readonly tenantId: string; readonly systemId: string },
  streamId: string,
  count: number,
): Promise<readonly EventRow[]> {
  const inputs = Array.from({ length: count }, (_, index) => loan(index));
  const events = prepareEvents(issuing, inputs, { isBatch: true, bytes: new Uint8Array() });
  return database.write(async (writer) => {
    const stream = await findStream(writer, tenantId, streamId);
    assert.ok(stream !== null);
    const appenders = await Appenders.of(writer, context, [stream]);
    const appender = appenders.open(stream);
    appender.place(events, { tenantId, kind: "system", id: systemId, roles: [] });
    return (await appenders.store()).get(appender) ?? assert.fail();
  });
}

/** Seals everything that a stream holds: a window, a checkpoint, and the cosignature of the service's own witness. */
export async function seal(context: Context, tenantId: string, streamId: string): Promise<void> {
  const { database, kernel, folder } = context;
  await database.write(async (writer) => {
    const stream = await findStream(writer, tenantId, streamId);
    assert.ok(stream !== null);
    await demandSealOf(writer, tenantId, streamId, stream.head_seq_no);
  });
  const lease = new Lease(context, "sealer");
  assert.ok(await lease.acquire());
  const fail = (error: unknown) => {
    throw error;
  };
  const { signal: stop } = new AbortController();
  const round = { lease, stop, onError: fail };
  await closeDueWindows(context, round);
  await makeDueCheckpoints(context, round);
  const witness = new ManagedWitness(context, witnessKeys(kernel, folder.path));
  await dispatchDue(context, COSIGN, lease, stop, {
    prepare: (messages) => witness.cosign(messages),
    run: (writer, message, statement) => witness.store(writer, message, statement),
    onError: fail,
  });
  await lease.release();
}

function onlyAsDatabase(database: Database): EmbeddedDatabase {
  const notAsked = () => assert.fail("nothing is asked of a file");
  return {
    maxWriters: 1,
    read: (work) => database.read(work),
    write: (work) => database.write(work),
    close: () => database.close(),
    prepareForgetting: notAsked,
    forgetDeleted: notAsked,
    commits: 0,
    copyTo: notAsked,
  };
}

/** Returns the messages of a topic from now on, in order. */
export function heard<Message>(
  context: Context,
  topic: Parameters<Channel["subscribe"]>[0] & { message?: Message },
  isHeard: (message: Message) => boolean = () => true,
) {
  const messages: Message[] = [];
  context.channel.subscribe<Message>(topic as never, (message) => {
    if (isHeard(message)) messages.push(message);
  });
  return messages;
}

/** Returns an object that does the same as the real one, except for the given members. */
export function changed<T extends object>(real: T, changes: Partial<T>): T {
  return new Proxy(real, {
    get: (_, name) => {
      if (Object.hasOwn(changes, name)) return changes[name as keyof T];
      const member = real[name as keyof T];
      return typeof member === "function" ? member.bind(real) : member;
    },
  });
}

/** Returns a wrapper of databases that keeps the statements of each transaction that writes, in order. */
export function writtenStatements() {
  const transactions: string[][] = [];
  const around = (database: Database): Database =>
    changed(database, {
      write: (work, options) =>
        database.write((writer) => {
          const statements: string[] = [];
          transactions.push(statements);
          const noted = <Answer>(statement: string, answer: Answer) => {
            statements.push(statement);
            return answer;
          };
          return work(
            changed<Writer>(writer, {
              all: (sql, ...values) => noted(sql, writer.all(sql, ...values)),
              first: (sql, ...values) => noted(sql, writer.first(sql, ...values)),
              run: (sql, ...values) => noted(sql, writer.run(sql, ...values)),
              insert: (into, rows) => noted(`INSERT INTO ${into.table}`, writer.insert(into, rows)),
            }),
          );
        }, options),
    });
  return { transactions, around };
}

/**
 * Returns a wrapper of databases that counts writes, and makes the next ones fail as long as `failure` is set: before
 * their work, or at their commit.
 */
export function failingWrites() {
  const state: { writes: number; failure: Error | null; isAtCommit: boolean } = {
    writes: 0,
    failure: null,
    isAtCommit: false,
  };
  const around = (database: Database): Database => ({
    maxWriters: 1,
    commits: 0,
    read: (work) => database.read(work),
    write: (work) => {
      state.writes += 1;
      const { failure, isAtCommit } = state;
      if (failure !== null && !isAtCommit) return Promise.reject(failure);
      return database.write(async (writer) => {
        const result = await work(writer);
        if (state.failure !== null) throw state.failure;
        return result;
      });
    },
    close: () => database.close(),
  });
  return { state, around };
}
