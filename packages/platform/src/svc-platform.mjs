#!/usr/bin/env node
// Starts the platform beside it on a Node that can run it. An older Node would end with a stack trace that names no
// remedy, because it fails while it loads a program that imports `node:sqlite`. So this file imports nothing at first,
// and uses nothing that is younger than Node 14.
const OLDEST = 24;
if (Number(process.versions.node.split(".")[0]) >= OLDEST) await import("./platform.mjs");
else {
  console.error(
    `svc-platform: this needs Node ${OLDEST} or newer, and ${process.execPath} is Node ${process.versions.node}. ` +
      `Install Node ${OLDEST} and start svc-platform with that.`,
  );
  process.exitCode = 64;
}
