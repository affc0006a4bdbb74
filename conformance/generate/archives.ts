/** Level 5: `archive.check`: good archives with the hashes of their entries, and archives with one lie each. */
import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { openArchive } from "@svc/core";
import { buildZip, deflateStored, type Part, utf8 } from "@svc/testkit/evidence/build-zip";
import { hostileArchives } from "@svc/testkit/evidence/hostile-archives";
import { base64, type Draft } from "./draft.ts";
import { slugOf } from "./mutants.ts";

const PARTS: readonly Part[] = [
  { name: "events.csv", content: utf8("seq_no,source_ref\n1,loan-1001\n2,loan-1002\n") },
  { name: "bundles/one.json", content: utf8('{"a":1}') },
  { name: "about.json", content: utf8("{}") },
  { name: "manifest.json", content: utf8('{"entries":3}') },
];
/** One that is much longer than it is packed says so by its bytes, which a case cannot hold. */
const LARGEST_BYTES = 20_000;

/** Returns all cases of the family. */
export function archiveDrafts(): Draft[] {
  const draft = (slug: string, bytes: Uint8Array, expected?: Draft["expected"]): Draft => ({
    name: `archive/${slug}`,
    request: { op: "archive.check", bytes: base64(bytes) },
    ...(expected === undefined ? {} : { expected }),
  });
  const good = (slug: string, parts: readonly Part[]) =>
    draft(slug, buildZip(parts), { ok: true, entries: parts.map(entryOf) });
  const text = utf8("the same words, the same words, the same words");
  const deflated = new Uint8Array(deflateRawSync(text));
  return [
    good("stored", PARTS),
    good("other-order", PARTS.toReversed()),
    good("no-entries", []),
    good("empty-entry", [{ name: "x", content: new Uint8Array() }]),
    good("one-byte", [{ name: "x", content: Uint8Array.of(0) }]),
    good("deflated", [{ name: "x", content: text, packed: deflated, method: 8 }]),
    good("deflated-by-a-stored-block", [{ name: "x", content: text, packed: deflateStored(text), method: 8 }]),
    good("deflated-empty", [{ name: "x", content: new Uint8Array(), packed: Uint8Array.of(3, 0), method: 8 }]),
    good("both-methods", [...PARTS, { name: "z", content: text, packed: deflated, method: 8 }]),
    ...hostileArchives(PARTS)
      .filter(({ bytes }) => bytes.length <= LARGEST_BYTES)
      .filter(({ bytes }) => codesOf(bytes).size <= 1)
      // A manifest is not looked at here, so an archive without entries lacks nothing.
      .filter(({ code }) => !code.startsWith("archive_entry_"))
      .map(({ name, code, bytes }, at) =>
        draft(`lie-${String(at).padStart(3, "0")}-${slugOf(name)}`, bytes, { ok: false, code }),
      ),
  ];
}

/** Returns the codes of an archive's headers. Where there are two, the order of the faults would be asked, not them. */
function codesOf(bytes: Uint8Array): Set<string> {
  const opened = openArchive(bytes);
  return new Set(opened.ok ? [] : opened.faults.map(({ code }) => code));
}

function entryOf({ name, content }: Part) {
  return { path: `${name}`, size: content.length, sha256: createHash("sha256").update(content).digest("hex") };
}
