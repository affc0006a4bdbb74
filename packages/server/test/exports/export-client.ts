/** Exports as a client of the API requests them: made, awaited, downloaded. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { contentOf, openArchive, referenceKernel } from "@svc/core";
import type { Answer, Client } from "@svc/testkit/server/client";
import { until } from "@svc/testkit/until";
import { FOLDER_ID } from "../../src/exports/shared-folder.ts";

/** Requests an export, and resolves to it when it is ready. */
export async function readyExport(client: Client, request: object): Promise<Answer["body"]> {
  const { status, body, text } = await client.post("/v1/exports", request);
  assert.equal(status, 201, text);
  return settledExport(client, body.export_id, "ready");
}

/** Resolves to an export when it is in a state. */
export async function settledExport(client: Client, exportId: string, state: string): Promise<Answer["body"]> {
  return until(`export ${exportId} is ${state}`, async () => {
    const { body } = await client.get(`/v1/exports/${exportId}`);
    assert.ok(body.state === state || !["failed", "deleted"].includes(body.state), JSON.stringify(body));
    return body.state === state ? body : null;
  });
}

/** Prepares a download of an export, and resolves to the answer with the ticket. */
export async function prepared(client: Client, exportId: string): Promise<Answer["body"]> {
  const { status, body, text } = await client.post(`/v1/exports/${exportId}/download/prepare`, "");
  assert.equal(status, 201, text);
  return body;
}

/** An answer to a download. */
export interface Downloaded {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The code of a refusal. */
  readonly code: string | null;
}

/** Follows the path of a ticket, without a key. */
export async function follow(client: Client, path: string, headers: Record<string, string> = {}): Promise<Downloaded> {
  const response = await fetch(client.url + path, { headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  const code = response.status >= 400 ? JSON.parse(bytes.toString()).detail.code : null;
  return { status: response.status, headers: response.headers, bytes, code };
}

/** The access and the proof that a holder of a downloaded package can report. */
export interface Holding {
  readonly accessId: string;
  readonly proof: string;
}

/** Resolves to the package of a ready export, compared with the export's own figures; the access, and the proof. */
export async function download(
  client: Client,
  { export_id, package: { sha256, size_bytes } }: Answer["body"],
): Promise<Holding & { readonly bytes: Buffer; readonly challenge: string }> {
  const { path, access_id, challenge } = await prepared(client, export_id);
  const { status, bytes, headers } = await follow(client, path);
  assert.deepEqual([status, headers.get("svc-access-id"), bytes.length], [200, access_id, size_bytes]);
  assert.equal(headers.get("accept-ranges"), "bytes");
  assert.equal(headers.get("svc-challenge"), challenge);
  assert.equal(createHash("sha256").update(bytes).digest("hex"), sha256);
  return { bytes, accessId: access_id, challenge, proof: proofOf(challenge, bytes) };
}

/**
 * Returns the answer to a challenge, by its definition: SHA-256 over its characters and then all bytes of the package.
 */
export function proofOf(challenge: string, bytes: Uint8Array): string {
  return createHash("sha256").update(challenge, "ascii").update(bytes).digest("hex");
}

/** Returns the body by which a verifier reports a success. */
export function goodReport({ package: known }: Answer["body"], { accessId, proof }: Holding, changes: object = {}) {
  return {
    verifierKind: "test",
    verifierVersion: "1",
    accessId,
    proof,
    verificationReport: {
      ok: true,
      packageSha256: known.sha256,
      manifestSha256: known.manifest_sha256,
      verifiedArtifacts: known.artifacts,
      problems: [],
      ...changes,
    },
  };
}

/** Returns the names in a folder of packages, without the file by which several servers know the folder. */
export function packagesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name !== FOLDER_ID);
}

/** Returns the contents of a package's entries as texts. */
export function textsOf(bytes: Uint8Array): Record<string, string> {
  const opened = openArchive(bytes);
  assert.ok(opened.ok);
  return Object.fromEntries(
    opened.entries.map((entry) => {
      const content = contentOf(referenceKernel, entry);
      assert.ok(content.ok);
      return [entry.path, Buffer.from(content.bytes).toString("utf8")];
    }),
  );
}
