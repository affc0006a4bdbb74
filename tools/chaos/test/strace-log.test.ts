/** Parses logs of strace with interleaved threads and a process that is killed in the middle. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOf, descriptorOf, parseLog } from "../power/strace-log.ts";

test("calls of several threads, and the end of the process in the middle of some", () => {
  const calls = parseLog(
    [
      '11 openat(AT_FDCWD<\\x2f>, "\\x2f\\x61", O_RDWR|O_CREAT, 0600) = 7<\\x2f\\x61>',
      '12 write(9<\\x73>, "\\x68\\x69", 2 <unfinished ...>',
      '11 pwrite64(7<\\x2f\\x61>, "\\x01\\x02", 2, 4096) = 2',
      "12 <... write resumed>)              = 2",
      "11 fdatasync(7<\\x2f\\x61> <unfinished ...>",
      '12 writev(9<\\x73>, [{iov_base="\\x61", iov_len=1}, {iov_base="\\x62", iov_len=1}], 2) = 2',
      '13 pwrite64(7<\\x2f\\x61>, "\\x03", 1, 8192 <unfinished ...>) = ?',
      '14 pwrite64(7<\\x2f\\x61>, "\\x03", 1, 12288 <detached ...>',
      "11 <... fdatasync resumed> <unfinished ...>) = ?",
      "15 rename(",
      "11 +++ killed by SIGKILL +++",
      "",
    ].join("\n"),
  );
  const said = calls.map(({ name, answer, at, done }) => [name, answer, at, done]);
  const never = Number.POSITIVE_INFINITY;
  assert.deepEqual(said, [
    ["openat", 7, 0, 0],
    ["write", 2, 1, 3],
    ["pwrite64", 2, 2, 2],
    ["fdatasync", null, 4, never],
    ["writev", 2, 5, 5],
    ["pwrite64", null, 6, never],
    ["pwrite64", null, 7, never],
    ["rename", null, 9, never],
  ]);
  assert.deepEqual(
    [4, 5].map((index) => bytesOf(calls[index]?.words ?? "").toString()),
    ["ab", "\x03"],
  );
  assert.deepEqual(calls.slice(2, 4).map(descriptorOf), [7, 7]);
  assert.throws(() => parseLog("11 <... write resumed>) = 2"), /never began/);
  assert.throws(() => bytesOf('9, "\\x61"..., 70000'), /too small/);
});
