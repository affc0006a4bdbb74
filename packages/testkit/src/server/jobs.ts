/** The work beside the requests of a server, for tests. */
import assert from "node:assert/strict";
import { Channel } from "@svc/host/channel";
import type { LeasedLoop } from "@svc/host/jobs";
import { failed } from "../../../server/src/notices.ts";
import type { Service } from "../../../server/src/serving/open-service.ts";
import type { RunningServer } from "../../../server/src/serving/serve.ts";

/** Returns the job of a server with this name. */
export function jobNamed({ service }: RunningServer<Service>, name: string): LeasedLoop {
  const job = service.jobs.find((one) => one.name === name);
  assert.ok(job !== undefined, name);
  return job;
}

/** Returns a channel that lets the test fail if anything is reported as failed. */
export function faultless(): Channel {
  const channel = new Channel();
  channel.subscribe(failed, (error) => assert.fail(String(error)));
  return channel;
}
