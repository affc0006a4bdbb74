/**
 * What the families stand on, over the database of the stores' tests: real keys, a real kernel, and a clock that stands until a test moves it. For
 * tests that call a capability itself, without a server around it. There is no folder but for the packages of exports.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { Channel } from "@svc/host/channel";
import { serviceTime } from "@svc/host/clock";
import { MetricsRegistry } from "@svc/host/metrics";
import type { Database, EmbeddedDatabase } from "@svc/host/store";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import type { Context } from "../src/context.ts";
import { issuingKernel } from "../src/issuing-kernel.ts";
import { kernel } from "../src/kernel.ts";
import { newSigningKeyPem, signerOf } from "../src/keys/file-signer.ts";
import { keyedHashUnder } from "../src/keys/keyed-hash.ts";
import { SigningKey } from "../src/keys/signing-key.ts";
import { defaultPolicy } from "../src/policies/default-policy.ts";
import { insertPolicyVersion } from "../src/policies/policies-store.ts";
import { ReadingsHere } from "../src/reading/readings.ts";
import { insertService, insertSigningKey } from "../src/tenancy/service-store.ts";
import { at, type Store, storeWithStreams } from "./store-under-test.ts";

const ORIGIN = "test.example/evidence";
const PEPPER = Buffer.alloc(32, 7);

export interface ContextUnderTest {
  readonly store: Store;
  readonly context: Context;
  /** The time, in seconds after the first as `at` counts them. */
  readonly now: { seconds: number };
}

/** A context over two tenants, their systems and their streams. `around`: what stands between it and the database. */
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
  });
  const now = { seconds: 1000 };
  const database = around(store.database);
  const signingKey = new SigningKey(kernel, { keys: async () => [signer], place: "memory" });
  const path = join(temporaryFolder(), "data");
  const context: Context = {
    database,
    embedded: onlyAsDatabase(database),
    kernel,
    issuing: issuingKernel(kernel),
    clock: () => Date.parse(at(now.seconds)),
    origin: ORIGIN,
    signingKey,
    keyedHash,
    channel: new Channel(),
    settings: () => assert.fail("no settings are asked for"),
    folder: {
      path,
      databasePath: join(path, "svc.db"),
      markPath: join(path, "progress.json"),
      exportsPath: join(path, "exports"),
      witnessKeyPem: witnessPem,
      pepper: PEPPER,
    },
    readings: new ReadingsHere({ database, kernel, signingKey }),
    metrics: new MetricsRegistry(),
  };
  assert.equal(serviceTime(context.clock()), at(1000));
  return { store, context, now };
}

function onlyAsDatabase(database: Database): EmbeddedDatabase {
  const notAsked = () => assert.fail("nothing is asked of a file");
  return {
    read: (work) => database.read(work),
    write: (work) => database.write(work),
    close: () => database.close(),
    prepareForgetting: notAsked,
    forgetDeleted: notAsked,
    commits: 0,
    copyTo: notAsked,
  };
}

/** What is told of a topic from now on, in order. */
export function heard<Message>(context: Context, topic: Parameters<Channel["subscribe"]>[0] & { message?: Message }) {
  const messages: Message[] = [];
  context.channel.subscribe<Message>(topic as never, (message) => messages.push(message));
  return messages;
}

/** A database of which every write is counted, and the next ones fail as long as `failure` is set: before their work, or when it would commit. */
export function failingWrites() {
  const state: { writes: number; failure: Error | null; isAtCommit: boolean } = {
    writes: 0,
    failure: null,
    isAtCommit: false,
  };
  const around = (database: Database): Database => ({
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
