/**
 * A deployment for tests, served by this process: the real server, on a database in memory. Its keys, and packages of
 * exports, are in a folder for temporary files; nothing is left after `close`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PublicKeyHex } from "@svc/core";
import { systemClock } from "@svc/host/clock";
import type { Principal } from "@svc/host/principal";
import { type EmbeddedDatabase, IN_MEMORY, openSqlite } from "@svc/host/store";
import { initialize } from "../initialize.ts";
import { kernel } from "../kernel.ts";
import { readConfig } from "../settings/config.ts";
import { systemKeysOf } from "../tenancy/system-keys.ts";
import { THIN_SERVER } from "../thin-server/program.ts";
import { serve } from "./serve.ts";

/** The new deployment, and the address of its server. */
export interface InMemoryServer {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** A key that may erase, and nothing else. */
  readonly eraseKey: string;
  readonly publicKeyHex: PublicKeyHex;
  readonly systemId: string;
  readonly streamId: string;
  close(): Promise<void>;
}

const SETTINGS = {
  SVC_PORT: "0",
  SVC_LOG_LEVEL: "silent",
  SVC_SEAL_INTERVAL_MS: "20",
  // Tests come from one address, and as fast as they can.
  SVC_ADDRESS_REQUESTS_PER_SECOND: "0",
  SVC_KEY_REQUESTS_PER_SECOND: "0",
};

/** Makes a deployment and serves it on a free port of the loopback interface. Resolves when it listens. */
export async function startInMemory(): Promise<InMemoryServer> {
  const folder = mkdtempSync(join(tmpdir(), "svc-in-memory-"));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  const memory = openSqlite(IN_MEMORY);
  const openDatabase = () => leftOpen(memory);
  try {
    const dataFolder = join(folder, "data");
    const made = await initialize({
      program: THIN_SERVER,
      dataFolder,
      origin: "test.example/evidence",
      tenantName: "test",
      systemName: "test",
      useCase: "tests",
      withKey: true,
      kernel,
      clock: systemClock,
      openDatabase,
    });
    const server = await serve(THIN_SERVER, readConfig(THIN_SERVER, { ...SETTINGS, SVC_DATA: dataFolder }), {
      kernel,
      openDatabase,
    });
    const { context } = server.service;
    const systemKeys = systemKeysOf(context);
    const limits = { actions: ["erase"], streams: null } as const;
    const wanted = { tenantId: made.tenant_id, systemId: made.system_id, limits };
    const operator: Principal = { tenantId: made.tenant_id, kind: "service", id: "svc-server", roles: [] };
    const eraseKey = await context.database.write((writer) => systemKeys.create(writer, wanted, operator));
    return {
      baseUrl: server.url,
      apiKey: made.api_key ?? "",
      eraseKey,
      publicKeyHex: made.public_key_hex,
      systemId: made.system_id,
      streamId: made.stream_id,
      close: async () => {
        await server.close();
        await memory.close();
        removeFolder();
      },
    };
  } catch (error) {
    await memory.close();
    removeFolder();
    throw error;
  }
}

/**
 * Returns the database for a user that closes it when done: closing would delete it, and another user needs it
 * afterwards.
 */
function leftOpen(database: EmbeddedDatabase): EmbeddedDatabase {
  return {
    read: (work) => database.read(work),
    write: (work, options) => database.write(work, options),
    maxWriters: database.maxWriters,
    prepareForgetting: () => database.prepareForgetting(),
    forgetDeleted: () => database.forgetDeleted(),
    get commits() {
      return database.commits;
    },
    copyTo: (path) => database.copyTo(path),
    close: async () => undefined,
  };
}
