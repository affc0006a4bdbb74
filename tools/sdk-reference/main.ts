/** Writes docs/sdk-reference.md. Ends with an error, and writes nothing, if an export has no docstring. */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { PAGE, referencePage } from "./page.ts";

const { page, undocumented } = referencePage();
for (const place of undocumented) console.error(`${place} has no docstring`);
if (undocumented.length > 0) process.exit(1);
writeFileSync(PAGE, page);
