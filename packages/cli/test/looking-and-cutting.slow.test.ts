/** The output of the commands that look into evidence, cut it and compare it: whole transcripts. */
import { firstBundle, march, putRow } from "./row.ts";
import { bundle, changed, PIN, put } from "./svc.ts";
import { testTranscripts } from "./transcript.ts";

putRow();
put("first.bundle.json", firstBundle);
put("it's \u001b[31m\u202e.json", march);
put(
  "changed.bundle.json",
  changed(bundle, ({ payloads }) => {
    for (const entry of Object.values(payloads) as { payload: { amount: number } }[]) entry.payload.amount++;
  }),
);

put(
  "hostile.bundle.json",
  changed(firstBundle, ({ payloads }) => {
    const [entry] = Object.values(payloads) as { payload: unknown }[];
    if (entry !== undefined)
      entry.payload = { note: "two  blanks\u001b[31m\u202e</pre>\n  VERIFIED", z_long: "0123456789".repeat(250) };
  }),
);

testTranscripts("looking-and-cutting", [
  ["show", 0, ["bundles", "show", "--file", "march.bundle.json"]],
  ["show-hostile", 0, ["bundles", "show", "--file", "it's \u001b[31m\u202e.json"]],
  ["redact", 0, ["bundles", "redact", "--file", "march.bundle.json", "--seq", "3,7-9", "--out", "r.json"]],
  ["show-events", 0, ["bundles", "show", "r.json", "--events"]],
  ["show-events-hostile", 0, ["bundles", "show", "hostile.bundle.json", "--events"]],
  ["show-events-without-payloads", 0, ["bundles", "show", "it's \u001b[31m\u202e.json", "--no-payloads"]],
  ["extract", 0, ["bundles", "extract", "--file", "march.bundle.json", "--seq", "5", "--out", "p.json"]],
  ["continuity-verified", 0, ["bundles", "continuity", "april.bundle.json", "march.bundle.json", ...PIN]],
  ["continuity-untrusted", 2, ["bundles", "continuity", "march.bundle.json", "april.bundle.json"]],
  ["continuity-gap", 1, ["bundles", "continuity", "first.bundle.json", "april.bundle.json", ...PIN]],
  ["continuity-fork", 1, ["bundles", "continuity", "march.bundle.json", "retold.bundle.json", ...PIN]],
  ["continuity-rejected", 1, ["bundles", "continuity", "march.bundle.json", "changed.bundle.json", ...PIN]],
  ["forks-none", 0, ["forks", "find", "march.bundle.json", "april.bundle.json", "--out", "none.json"]],
  ["forks-found", 1, ["forks", "find", "march.bundle.json", "retold.bundle.json", "--out", "fork.json", ...PIN]],
  ["forks-found-unpinned", 1, ["forks", "find", "march.bundle.json", "retold.bundle.json", "--out", "fork-2.json"]],
]);
