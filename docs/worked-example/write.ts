/**
 * Writes the worked example into docs/protocol.md, between its two marks. `--check` writes nothing and fails if the
 * page differs from core's values.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { annexText } from "./annex.ts";
import { issueExample } from "./issue.ts";
import { issueVault } from "./issue-vault.ts";

const BEGIN = "<!-- Annex A begins here. It is written by worked-example/write.ts. -->\n\n";
const END = "\n\n<!-- Annex A ends here. -->";

const page = new URL("../protocol.md", import.meta.url);
const text = readFileSync(page, "utf8");
const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
if (from < 0 || to < from) throw new Error("docs/protocol.md does not hold the marks between which annex A stands");
const example = await issueExample();
const annex = annexText(example, await issueVault(example.checkpoint));
const written = text.slice(0, from + BEGIN.length) + annex + text.slice(to);

if (!process.argv.includes("--check")) writeFileSync(page, written);
else if (text !== written) {
  console.error("The worked example in docs/protocol.md is not what core gives: run `pnpm worked-example`.");
  process.exit(1);
}
