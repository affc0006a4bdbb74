import { test } from "node:test";

test("hangs", () => new Promise(() => setInterval(() => {}, 1000)));
