/** Ends with 0 if the change since the last whole run can break an install on a bare machine; with 1 if it cannot. */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { concernsInstall } from "./affected.ts";
import { changesSince } from "./changes.ts";
import { readCosts } from "./costs.ts";

const { costs } = readCosts(new URL("costs.json", import.meta.url));
const changes = changesSince(costs.commit, fileURLToPath(new URL("../..", import.meta.url)));
const found = changes?.find(concernsInstall);
if (changes === null) console.log("What changed since the last whole run cannot be told: the bare machine is tried.");
else if (found === undefined) console.log("Nothing that an install needs has changed: the bare machine is NOT tried.");
else console.log(`${found} has changed: the bare machine is tried.`);
process.exit(changes !== null && found === undefined ? 1 : 0);
