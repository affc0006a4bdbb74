/** The faults, by name: each strikes under load, and is over when its promise resolves. */
import { setTimeout as pause } from "node:timers/promises";
import type { Proxy as UnreliableNetwork } from "@svc/testkit/network";
import { SERVERS } from "./servers.ts";
import type { Fault, Trial } from "./trial.ts";

const HOUR_MS = 3_600_000;
/** Longer than the leases of the jobs. */
const STOPPED_MS = 4_000;
const MIN_DELAY_MS = 20;
const MAX_DELAY_MS = 150;
const CUTS = 3;
const SWALLOWED = 3;
/** Answers or refusals that show that clients have met the fault. */
const SOME = 6;

const isCommit = (chunk: Buffer) => chunk.includes("COMMIT");
const anyServer = ({ random }: Trial) => random.whole(0, SERVERS - 1);

/** The proxies of one server to the primary, or of all. */
function someWays(trial: Trial): readonly UnreliableNetwork[] {
  const all = Array.from({ length: SERVERS }, (_, way) => trial.cluster.way(way));
  return trial.random.number() < 0.5 ? all : [trial.random.pick(all)];
}

/** The faults that any machine can make. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  "server killed": (trial) => trial.servers.restart(anyServer(trial), () => trial.answered(SOME)),
  "server stopped": async (trial) => {
    const running = trial.servers.process(anyServer(trial));
    running.kill("SIGSTOP");
    await pause(STOPPED_MS);
    running.kill("SIGCONT");
  },
  "clock back": async (trial) => {
    const running = trial.servers.process(anyServer(trial));
    running.order({ clockMs: -HOUR_MS });
    await trial.answered(10 * SOME);
    running.order({ clockMs: 0 });
  },
  "primary killed": async (trial) => {
    const { primary } = trial.cluster;
    await primary.stop("immediate");
    await trial.refused(SOME);
    await primary.start();
  },
  "standby promoted, primary down": (trial) => trial.cluster.failOver(true),
  "standby promoted, primary up": (trial) => trial.cluster.failOver(false),
  // Without the standby nothing more is confirmed, and nobody may be shown what is lost with the primary then.
  "primary restarted without its standby, which is promoted": async (trial) => {
    const { primary, standby } = trial.cluster;
    await standby.stop("immediate");
    await trial.refused(SOME);
    await primary.stop("immediate");
    await primary.start();
    await trial.refused(2 * SOME);
    await standby.start();
    await trial.cluster.failOver(true);
  },
  "waiting commits ended, standby promoted": async (trial) => {
    const { standby } = trial.cluster;
    await standby.stop("immediate");
    await trial.cluster.endWaiting(trial.random.pick(["cancel", "terminate"]));
    await trial.refused(2 * SOME);
    await standby.start();
    await trial.cluster.failOver(true);
  },
  "primary silent": async (trial) => {
    const { primary } = trial.cluster;
    primary.hang();
    await pause(STOPPED_MS);
    primary.wake();
  },
  "primary silent, standby promoted": async (trial) => {
    trial.cluster.primary.hang();
    await trial.refused(SOME);
    await trial.cluster.failOver(false, () => trial.answered(SOME));
  },
  "connections forgotten": async (trial) => {
    for (const way of someWays(trial)) way.forget();
    await trial.answered(2 * SOME);
  },
  "network cut": async (trial) => {
    const ways = someWays(trial);
    for (let count = 0; count < CUTS; count++) {
      for (const way of ways) way.cut();
      await trial.answered(SOME);
    }
    for (const way of ways) await way.refuse(true);
    for (const way of ways) way.cut();
    await trial.refused(SOME);
    for (const way of ways) await way.refuse(false);
  },
  "network slow": async (trial) => {
    const ways = someWays(trial);
    for (const way of ways) way.delay(trial.random.whole(MIN_DELAY_MS, MAX_DELAY_MS));
    await trial.answered(2 * SOME);
    for (const way of ways) way.delay(0);
  },
  "answers to commits lost": async (trial) => {
    for (const way of someWays(trial))
      for (let count = 0; count < SWALLOWED; count++) {
        await way.swallow(isCommit);
        await way.lose(isCommit);
      }
  },
};

/** The fault that needs small disks. */
export const FULL_DISK: Readonly<Record<string, Fault>> = {
  "disk full": async (trial) => {
    trial.cluster.fill();
    await trial.refused(SOME);
    await trial.cluster.free();
  },
};
