/** What runs beside the requests of a server, as tests look at it. */
import assert from "node:assert/strict";
import { Channel } from "@svc/host/channel";
import type { LeasedLoop } from "@svc/host/jobs";
import { failed } from "../../../server/src/notices.ts";
import type { RunningServer } from "../../../server/src/serve.ts";

/** The job of a server that has this name. */
export function jobNamed({ service }: RunningServer, name: string): LeasedLoop {
  const job = service.jobs.find((one) => one.name === name);
  assert.ok(job !== undefined, name);
  return job;
}

/** A channel over which nothing may be told to have failed. */
export function faultless(): Channel {
  const channel = new Channel();
  channel.subscribe(failed, (error) => assert.fail(String(error)));
  return channel;
}
