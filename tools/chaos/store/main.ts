/**
 * `pnpm chaos:store [--rounds N] [--pooled N] [--seed S] [--json]`: three servers on one PostgreSQL cluster under load,
 * one of them, or as many as told, through a PgBouncer. One fault a round strikes them, their network, or the cluster:
 * kills, stops, silence, wrong clocks, lost answers, ended commits, full disks, and the promotion of the standby. After
 * each round everything that was acknowledged must be there, under its number and its key, all that was read must be
 * there too, and nothing that was handed out may contradict anything. Exits with 1 after a violation, and keeps the
 * folder; with 64 for a wrong call.
 */
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { NO_PGBOUNCER } from "@svc/testkit/pgbouncer";
import { mountSmallDisk, NO_SMALL_DISK } from "@svc/testkit/small-disk";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import type { Program } from "../program.ts";
import type { Call } from "../read-call.ts";
import { Seeded } from "../seeded.ts";
import { runTrials, showProgress } from "../trials.ts";
import { Cluster, type SeatFolders } from "./cluster.ts";
import { FAULTS, FULL_DISK } from "./faults.ts";
import { SERVERS, Servers } from "./servers.ts";
import { type Fault, Trial } from "./trial.ts";

/** A new cluster and deployment after so many rounds: the checks grow with the records. */
const ROUNDS_OF_ONE = 25;
const DISK_SIZE = "512m";

/** The output of `--json`. */
interface Summary {
  readonly rounds: number;
  readonly seed: number;
  /** How often each fault struck. */
  readonly faults: Record<string, number>;
  receipts: number;
  /** Requests that were refused with 503 or got no answer, and were sent again. */
  sentAgain: number;
}

// After a violation, faults and clients may still wait for what does not come any more.
process.exit(await runTrials({ name: "store", defaultRounds: 20, numbers: { pooled: 1 }, run, inWords }));

async function run(
  program: Program,
  folder: string,
  { rounds, seed, pooled: wanted }: Call<"pooled">,
  faults: Record<string, number>,
): Promise<Summary> {
  const summary: Summary = { rounds, seed, faults, receipts: 0, sentAgain: 0 };
  const random = new Seeded(seed);
  const pooled = NO_PGBOUNCER ? 0 : Math.min(wanted, SERVERS);
  const [disks, isSmall] = seatFolders();
  const kinds = Object.entries({ ...FAULTS, ...(isSmall ? FULL_DISK : {}) });
  let deck: [string, Fault][] = [];
  for (let begun = 0; begun < rounds; begun += ROUNDS_OF_ONE) {
    const cluster = await Cluster.make(disks, { direct: SERVERS - pooled, pooled });
    try {
      const servers = await Servers.make(program, cluster, join(folder, `${begun}`));
      const trial = new Trial(cluster, servers, random);
      for (let round = begun; round < Math.min(rounds, begun + ROUNDS_OF_ONE); round++) {
        // Each fault once, then each again, in other orders.
        if (deck.length === 0) deck = [...kinds];
        const [[name, fault] = random.pick(kinds)] = deck.splice(random.whole(0, deck.length - 1), 1);
        showProgress(`round ${round + 1}: ${name}`);
        faults[name] = (faults[name] ?? 0) + 1;
        await trial.round(fault);
      }
      await trial.close();
      summary.receipts += trial.receipts;
      summary.sentAgain += trial.refusals;
    } finally {
      await cluster.close();
    }
  }
  return summary;
}

/** Returns a folder for each seat of the cluster, on small disks if they can be mounted, and whether they can be. */
function seatFolders(): [SeatFolders, boolean] {
  const parent = temporaryFolder();
  chmodSync(parent, 0o755);
  const folders: SeatFolders = [join(parent, "one"), join(parent, "other")];
  const isSmall = folders.map((folder) => mountSmallDisk(folder, DISK_SIZE)).every((isMounted) => isMounted);
  if (!isSmall) console.error(`\n!!! ${NO_SMALL_DISK}\n`);
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  return [folders, isSmall];
}

function inWords({ rounds, seed, faults, receipts, sentAgain }: Summary): string {
  const lines = Object.entries(faults).map(([name, count]) => `${String(count).padStart(6)}  ${name}`);
  return `${lines.join("\n")}

Nothing was lost, and nothing contradicts anything: ${rounds} rounds (seed ${seed}), ${receipts} receipts,
${sentAgain} requests sent again that had got no answer, or 503.`;
}
