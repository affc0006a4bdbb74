/** Waiting for epochs of the service log. */
import type { Anchor } from "@svc/core";
import type { Client } from "@svc/testkit/server/client";
import { until } from "@svc/testkit/until";

/** Waits until the newest epoch covers a checkpoint, and resolves to it with that member. */
export function epochOver(client: Client, checkpointId: string): Promise<Anchor> {
  return until(`an epoch covers ${checkpointId}`, async () => {
    const { status, body } = await client.get(`/v2/anchors/latest?checkpoint=${checkpointId}`);
    return status === 200 ? body : null;
  });
}
