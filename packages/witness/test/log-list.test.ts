/** Lists of logs, as witness networks publish them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "@svc/host/settings";
import { parseLogList } from "../src/origins/log-list.ts";

const ONE = "log.example/one+aaaaaaaa+AAAA";

test("keys and origins are read, and everything else is left alone", () => {
  const list = `
    # a list of logs
    logs/v0

    vkey ${ONE}
    qpd 86400
    contact https://log.example/contact, vkey or not

    # vkey log.example/commented+bbbbbbbb+BBBB
    vkey   key.example/two+cccccccc+CCCC
    origin log.example/two of two
    qpd 24
    later what a newer list may say
    contact somebody (at) log.example\r
  `;
  assert.deepEqual(parseLogList(list), [
    { vkey: ONE, origin: null },
    { vkey: "key.example/two+cccccccc+CCCC", origin: "log.example/two of two" },
  ]);
  assert.deepEqual(parseLogList("logs/v0"), []);
});

test("another format is refused, and so is a line of no log", () => {
  for (const text of ["", "# logs/v0", "logs/v1\n", `vkey ${ONE}\n`, "<html>"])
    assert.throws(() => parseLogList(text), UsageError, text);
  assert.throws(() => parseLogList("logs/v0\n\nqpd 24\n"), /Line 3 of the list belongs to no vkey/);
});
