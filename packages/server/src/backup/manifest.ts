/**
 * `manifest.json` of a backup: its source, and the hashes of its files. It finds damage and mix-ups. It is not signed,
 * so it does NOT show that nobody replaced the whole backup; restoring verifies the evidence itself. A database in a
 * file is in the backup; one on a PostgreSQL server is not, and the manifest says what a copy of it must have.
 */
import { createHash } from "node:crypto";
import { createReadStream, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { atoms, type Json } from "@svc/core";
import { problemsOf } from "@svc/host/http/shapes";
import Type from "typebox";
import { DataFolderError } from "../data-folder/data-folder.ts";
import { kernel } from "../kernel.ts";

/** The file of the manifest. */
export const MANIFEST = "manifest.json";
/** The file of the sealed keys. */
export const SEALED_KEYS = "keys.sealed";

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Count = Type.Integer({ minimum: 0 });
const FileEntry = atoms.Closed({ sha256: Hash, size_bytes: Count });

const EITHER = {
  format: Type.Literal("svc-server-backup"),
  version: Type.Literal(1),
  created_at: atoms.ServiceTime,
  server_version: Type.String(),
  origin: Type.String(),
  signing_keys: Type.Array(
    atoms.Closed({
      kid: atoms.KidText,
      public_key_hex: atoms.PublicKey,
      valid_from: atoms.ServiceTime,
      retired_at: atoms.NullableServiceTime,
    }),
  ),
  schema_version: Count,
  streams: Count,
  events: Count,
  erasures: Count,
  heads_sha256: Hash,
};

const FileManifest = atoms.Closed({
  ...EITHER,
  last_event: Type.Union([
    Type.Null(),
    atoms.Closed({ stream_event_id: Type.String(), received_at: atoms.ServiceTime }),
  ]),
  files: atoms.Closed({ "svc.db": FileEntry, [SEALED_KEYS]: Type.Optional(FileEntry) }),
});
/** The manifest of a backup with the file of the database. */
export type FileManifest = Type.Static<typeof FileManifest>;

const NullableText = Type.Union([Type.Null(), Type.String()]);
const ServerManifest = atoms.Closed({
  ...EITHER,
  last_event: Type.Union([
    Type.Null(),
    atoms.Closed({ stream_event_id: Type.String(), event_hash: Hash, received_at: atoms.ServiceTime }),
  ]),
  /** The answers of the server about itself; null where it does not let the deployment's user ask. */
  postgresql: atoms.Closed({
    database: Type.String(),
    version: Type.String(),
    system_identifier: NullableText,
    timeline: Type.Union([Type.Null(), Count]),
    /** Everything that the manifest counts is in the log before this position. */
    wal_position: NullableText,
    /** The file of the log with this position. */
    wal_file: NullableText,
  }),
  files: atoms.Closed({ [SEALED_KEYS]: Type.Optional(FileEntry) }),
});
/** The manifest of a backup whose database is on a PostgreSQL server. */
export type ServerManifest = Type.Static<typeof ServerManifest>;

/** The manifest of a backup. */
export type BackupManifest = FileManifest | ServerManifest;

/** Returns whether the database of a backup is on a PostgreSQL server, and not in the backup. */
export function isOnServer(manifest: BackupManifest): manifest is ServerManifest {
  return "postgresql" in manifest;
}

const problemsOfFile = problemsOf(FileManifest);
const problemsOfServer = problemsOf(ServerManifest);

function problems(value: Json) {
  const onServer = typeof value === "object" && value !== null && "postgresql" in value;
  return onServer ? problemsOfServer(value) : problemsOfFile(value);
}

/** Reads the manifest of a backup. Throws DataFolderError if it is missing, or this release cannot read it. */
export function readManifest(backup: string): BackupManifest {
  const path = join(backup, MANIFEST);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new DataFolderError(
      `${path} cannot be read (${(error as NodeJS.ErrnoException).code}): ${backup} is no whole backup. Name the ` +
        `folder that "backup --to" made.`,
    );
  }
  const parsed = kernel.parseJson(bytes);
  const found = parsed.ok ? problems(parsed.value) : [{ path: "", message: "is not JSON" }];
  const [first] = found;
  if (!parsed.ok || first !== undefined)
    throw new DataFolderError(
      `${path} is not the manifest of a backup that this release can read: ${first?.path} ${first?.message}. Use ` +
        `another backup, or the release that made it.`,
    );
  return parsed.value as BackupManifest;
}

/** Resolves to hash and size of a file, read in pieces. */
export async function fileEntry(path: string): Promise<{ sha256: string; size_bytes: number }> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return { sha256: hash.digest("hex"), size_bytes: statSync(path).size };
}

/** Rejects with DataFolderError if a file of the backup is not the one that the manifest names. */
export async function requireWhole(
  path: string,
  name: keyof FileManifest["files"],
  manifest: BackupManifest,
): Promise<void> {
  const files: Partial<FileManifest["files"]> = manifest.files;
  const expected = files[name];
  const { sha256, size_bytes } = await fileEntry(path);
  if (expected?.sha256 === sha256) return;
  throw new DataFolderError(
    `${name} of this backup is damaged: its SHA-256 is ${sha256} (${size_bytes} bytes), and the manifest says ` +
      `${expected?.sha256} (${expected?.size_bytes} bytes). Use another backup.`,
  );
}
