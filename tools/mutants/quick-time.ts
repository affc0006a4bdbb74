/**
 * Lets time go by faster: the server's tests often wait for something that is due after a while, such as a window that
 * closes. Clocks and timers run alike; `performance.now()` stays real, because tests use it for their deadlines.
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
