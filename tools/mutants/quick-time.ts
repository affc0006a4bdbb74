/**
 * Lets time go by faster: much that the server's tests wait for is due after a while, such as a window that closes. Clocks and timers go alike;
 * `performance.now()` stays, by which tests tell how long they have waited at most.
 */
import { syncBuiltinESMExports } from "node:module";
import promises from "node:timers/promises";

const FACTOR = 5;
const { now } = Date;
const start = now();
Date.now = () => start + Math.floor(FACTOR * (now() - start));

const { setTimeout: later, setInterval: again } = globalThis;
Object.assign(globalThis, {
  setTimeout: (act: () => void, ms = 0, ...rest: []) => later(act, ms / FACTOR, ...rest),
  setInterval: (act: () => void, ms = 0, ...rest: []) => again(act, ms / FACTOR, ...rest),
});

const { setTimeout: pause } = promises;
promises.setTimeout = (ms = 0, ...rest) => pause(ms / FACTOR, ...rest);
syncBuiltinESMExports();
