/** Ends with 0 if the change since the last whole run can break an install on a bare machine; with 1 if it cannot. */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { bareMachine } from "./affected.ts";
import { changesSince } from "./changes.ts";
import { readCosts } from "./costs.ts";

const { costs } = readCosts(new URL("costs.json", import.meta.url));
const { isTried, why } = bareMachine(changesSince(costs.commit, fileURLToPath(new URL("../..", import.meta.url))));
console.log(why);
process.exit(isTried ? 0 : 1);
