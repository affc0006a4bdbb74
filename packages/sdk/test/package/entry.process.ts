/** Node, Deno and Bun: runs the behaviour of its argument, and prints one line of JSON. */
import process from "node:process";
import * as sdk from "@svc/sdk";
import { behave } from "./behaviour.ts";

console.log(JSON.stringify(await behave(sdk, JSON.parse(process.argv[2] ?? ""))));
