/**
 * The scene past one machine: a PostgreSQL primary and its synchronous standby, two servers on them, and one address.
 * One server is killed, then the primary; the standby is promoted, and nothing that was answered is lost.
 */
import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { startPair } from "../packages/testkit/src/postgres-pair.ts";
import { forwardTo } from "./one-address.ts";
import { step } from "./progress.ts";
import type { Scene } from "./scene.ts";
import { initService, startService } from "./service.ts";

/** Starts it all in folders beginning with a path. `events`: how many will be recorded. */
export async function twoServers(path: string, origin: string, events: number): Promise<Scene> {
  const ends: (() => unknown)[] = [];
  const pair = await startPair({ after: (work) => void ends.push(work as () => unknown) });
  const [version] = await pair.primary.run("SHOW server_version");
  step(
    `PostgreSQL ${version?.server_version} started`,
    "a primary, and a standby that has each commit on its disk first",
  );

  const [first, second, exports] = [`${path}-1`, `${path}-2`, `${path}-exports`] as const;
  const settings = { SVC_DATABASE_URL: await pair.newDatabase(), SVC_EXPORTS: exports };
  const made = await initService(first, origin, settings);
  step("service created", `${made.origin}, key ${made.kid}`);
  cpSync(first, second, { recursive: true });
  const servers = await Promise.all([first, second].map((folder) => startService(folder, settings)));
  const [one, other] = servers;
  assert.ok(one !== undefined && other !== undefined);
  const address = await forwardTo(servers.map(({ url }) => url));
  step("two servers started", `${one.url} and ${other.url}, behind ${address.url}`);

  const loseServer = async () => {
    await one.kill();
    step("one server killed, SIGKILL", "the other goes on");
  };
  const losePrimary = async () => {
    await pair.primary.stop("immediate");
    step("primary of the database killed", "nothing is recorded, clients send again");
    await pair.promote();
    step("standby promoted", "recording goes on, with all that was answered");
  };
  return {
    made,
    url: address.url,
    mishaps: [
      { afterReceipts: Math.floor(events / 30), happen: loseServer },
      { afterReceipts: Math.floor(events / 2), happen: losePrimary },
    ],
    ending: `service committed to them in windows and checkpoints, and its witness cosigned. On the
way one of its two servers was killed, and the primary of its database; the other server
went on, and so did the standby. Then both servers and both databases were deleted. The
bundle still verifies, with every receipt that was given, and no change to it goes
unnoticed.`,
    async remove() {
      await address.close();
      assert.equal(await other.stop(), 0, "the server that is left must drain and end with 0");
      for (const folder of [first, second, exports]) rmSync(folder, { recursive: true, force: true });
      // An end may add others to the list, which are done as well.
      for (const end of ends) await end();
      step("servers and databases deleted", "from here on there is only the file and the key");
    },
  };
}
