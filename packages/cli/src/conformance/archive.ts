/**
 * `archive.check`: checks the structure and the checksums of an archive in the form of packages (protocol section 15).
 * It does not look at the manifest.
 */
import { type ArchiveEntry, encodeHex, type Kernel, openArchive, unpack } from "@svc/core";
import { bytesMember } from "./members.ts";
import type { Operations, Outcome } from "./operation.ts";

export const ARCHIVE_OPERATIONS: Operations = {
  "archive.check": {
    required: ["bytes"],
    run(request, kernel) {
      const opened = openArchive(bytesMember(request, "bytes"));
      if (!opened.ok) return { ok: false, code: opened.faults[0]?.code ?? "archive_malformed" };
      const checked = opened.entries.map((entry) => checkEntry(kernel, entry));
      const wrong = checked.find(({ ok }) => !ok);
      return wrong ?? { ok: true, entries: checked.map(({ ok: _, ...entry }) => entry) };
    },
  },
};

function checkEntry(kernel: Kernel, entry: ArchiveEntry): Outcome {
  const hasher = kernel.hasher();
  const fault = unpack(kernel, entry, (piece) => hasher.update(piece));
  if (fault !== null) return { ok: false, code: fault.code };
  return { ok: true, path: entry.path, size: entry.sizeBytes, sha256: encodeHex(hasher.digest()) };
}
