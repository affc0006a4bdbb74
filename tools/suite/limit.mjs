// Loaded before each test file of a run: a file that takes longer than the run allows says what it waits for, and ends.
// The runner of Node reports its own limit, and then waits for the file all the same. Plain JavaScript, because
// nothing is to be loaded for it. A file that never comes back to its event loop is ended by the run, by its process.
import { appendFileSync, writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const { SVC_TEST_LIMIT_MS, SVC_TEST_PROCESSES } = process.env;

if (SVC_TEST_PROCESSES !== undefined && isMainThread)
  appendFileSync(SVC_TEST_PROCESSES, `${JSON.stringify({ file: process.argv[1], pid: process.pid })}\n`);

if (SVC_TEST_LIMIT_MS !== undefined && isMainThread)
  setTimeout(() => {
    const waitsFor = process.getActiveResourcesInfo().join(", ");
    writeSync(2, `${process.argv[1]} has not ended within ${SVC_TEST_LIMIT_MS} ms, and waits for: ${waitsFor}\n`);
    process.exit(1);
  }, Number(SVC_TEST_LIMIT_MS)).unref();
