/**
 * `manifest.json` of a backup: what it is a copy of, and the hashes of its files. It finds damage and mix-ups; it is not signed, so it does NOT
 * show that nobody replaced the whole backup. The evidence inside is verified at restoring.
 */
import { createHash } from "node:crypto";
import { createReadStream, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { atoms } from "@svc/core";
import { problemsOf } from "@svc/host/http/shapes";
import Type from "typebox";
import { DataFolderError } from "../data-folder/data-folder.ts";
import { kernel } from "../kernel.ts";

export const MANIFEST = "manifest.json";
export const SEALED_KEYS = "keys.sealed";

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Count = Type.Integer({ minimum: 0 });
const FileEntry = atoms.Closed({ sha256: Hash, size_bytes: Count });

const BackupManifest = atoms.Closed({
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
  last_event: Type.Union([
    Type.Null(),
    atoms.Closed({ stream_event_id: Type.String(), received_at: atoms.ServiceTime }),
  ]),
  heads_sha256: Hash,
  files: atoms.Closed({ "svc.db": FileEntry, [SEALED_KEYS]: Type.Optional(FileEntry) }),
});
export type BackupManifest = Type.Static<typeof BackupManifest>;

const problems = problemsOf(BackupManifest);

/** Reads the manifest of a backup. Throws DataFolderError where there is none, or it is not one that this release can read. */
export function readManifest(backup: string): BackupManifest {
  const path = join(backup, MANIFEST);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new DataFolderError(
      `${path} cannot be read (${(error as NodeJS.ErrnoException).code}): ${backup} is no whole backup. Name the folder that "backup --to" made.`,
    );
  }
  const parsed = kernel.parseJson(bytes);
  const found = parsed.ok ? problems(parsed.value) : [{ path: "", message: "is not JSON" }];
  const [first] = found;
  if (!parsed.ok || first !== undefined)
    throw new DataFolderError(
      `${path} is not the manifest of a backup that this release can read: ${first?.path} ${first?.message}. Use another backup, or the release that made it.`,
    );
  return parsed.value as BackupManifest;
}

/** Hash and size of a file, read piece by piece. */
export async function fileEntry(path: string): Promise<{ sha256: string; size_bytes: number }> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return { sha256: hash.digest("hex"), size_bytes: statSync(path).size };
}

/** Throws DataFolderError where a file of the backup is not the one that the manifest names. */
export async function requireWhole(
  path: string,
  name: keyof BackupManifest["files"],
  manifest: BackupManifest,
): Promise<void> {
  const expected = manifest.files[name];
  const { sha256, size_bytes } = await fileEntry(path);
  if (expected?.sha256 === sha256) return;
  throw new DataFolderError(
    `${name} of this backup is damaged: its SHA-256 is ${sha256} (${size_bytes} bytes), and the manifest says ${expected?.sha256} (${expected?.size_bytes} bytes). Use another backup.`,
  );
}
