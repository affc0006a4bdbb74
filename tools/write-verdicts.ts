/**
 * Writes docs/verdicts.md from the one table of codes. `--check` writes nothing and fails when the page is not what the table gives.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { CODES } from "@svc/core";

const target = new URL("../docs/verdicts.md", import.meta.url);
const rows = Object.entries(CODES).map(
  ([code, { check, meaning, action }]) => `| \`${code}\` | \`${check}\` | ${meaning} | ${action} |`,
);
const page = `# Verdicts

Every verifier answers with one of three verdicts.

- **verified**: every check that the object has was made and holds, and trust that you brought along reaches every signer.
- **rejected**: something does not hold, or evidence that you require is not there.
- **untrusted**: nothing is wrong, but no key that you pin leads to the signer, or nothing proves that it signed in time.

Exit codes of \`svc\`: 0 verified, 1 rejected, 2 untrusted, 64 wrong usage, 66 input that cannot be read, 70 an internal error.

## Codes

Codes are stable: one cause, one code. The first problem of a report is the primary one.

| code | found by | what it means | what to do |
|---|---|---|---|
${rows.join("\n")}
`;

if (!process.argv.includes("--check")) writeFileSync(target, page);
else if (readFileSync(target, "utf8") !== page) {
  console.error("docs/verdicts.md is not what the table of codes gives: run `pnpm verdicts`.");
  process.exit(1);
}
