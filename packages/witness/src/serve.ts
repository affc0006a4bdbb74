/** A running witness: its files, its sockets, its log. To end, it finishes the requests in flight. */
import type { Server } from "node:http";
import type { Kernel } from "@svc/core";
import { type Clock, systemClock } from "@svc/host/clock";
import { failpoint } from "@svc/host/failpoint";
import { createListener, drain, endAtOnce, listen, RateLimit } from "@svc/host/http";
import { MetricsRegistry } from "@svc/host/metrics";
import pino, { type Logger } from "pino";
import { readMarked } from "./checkpoints/read-marked.ts";
import { Witness } from "./checkpoints/witness.ts";
import type { Config } from "./config.ts";
import { openWitness } from "./database.ts";
import { completeFolder, writeEvidence } from "./forks/fork-folder.ts";
import { handlerOf, metricsHandlerOf, type Serving } from "./http/handler.ts";
import { MAX_CONNECTIONS } from "./limits.ts";
import { witnessMetrics } from "./metrics.ts";

const PATIENCE = { headersMs: 10_000, requestMs: 30_000, checkMs: 1000, stalledMs: 30_000 };

/** A witness that listens. */
export interface RunningWitness {
  readonly url: string;
  /** The URL of the metrics, if they have a separate port. */
  readonly metricsUrl: string | null;
  readonly vkey: string;
  /** Resolves when the disk has failed: nothing more is cosigned until another process opens the files. */
  readonly failed: Promise<Error>;
  /** Finishes the requests in flight, and closes the files. */
  close(): Promise<void>;
}

/** Opens a witness and serves it; resolves when it listens. Rejects with the errors of `openWitness` and `listen`. */
export async function serve(
  config: Config,
  { kernel, clock = systemClock }: { readonly kernel: Kernel; readonly clock?: Clock },
): Promise<RunningWitness> {
  const logger = createLogger(config);
  const { promise: failed, resolve: fail } = Promise.withResolvers<Error>();
  const opened = await openWitness(kernel, config, fail);
  const servers: Server[] = [];
  try {
    const { database, mark, key, name, vkey } = opened;
    await completeFolder(config.dataFolder, database);
    const rate = () => new RateLimit(config.originRate);
    const rates = { new: rate(), ahead: rate(), old: rate() };
    const witness = new Witness({
      kernel,
      database,
      name,
      key,
      clock,
      raiseMark: (point) => mark.raise(point),
      countOrigin: (origin, sort) => rates[sort].count(origin),
      onFork: ({ forkId, origin, keyCount, evidence }) => {
        const who = keyCount === 1 ? "one key of a log has" : "two keys of a log have";
        logger.error({ fork_id: forkId, origin }, `${who} signed two histories; the evidence is kept`);
        try {
          writeEvidence(config.dataFolder, forkId, evidence);
        } catch (error) {
          logger.error({ err: error }, "the file of the evidence could not be written; the next start tries again");
        }
      },
    });
    const read: Serving["read"] = (work) => readMarked(database, (point) => mark.raise(point), work);
    const serving = servingOf(config, { witness, vkey, logger, database, read });
    const own = createListener(
      handlerOf({ ...serving, metrics: config.metricsPort === null ? serving.metrics : null }),
      PATIENCE,
    );
    servers.push(own);
    let metricsUrl: string | null = null;
    if (config.metricsPort !== null) {
      const apart = createListener(metricsHandlerOf(serving), PATIENCE);
      servers.push(apart);
      metricsUrl = `${await listen(apart, config.host, config.metricsPort, "SVC_WITNESS_METRICS_PORT")}/metrics`;
    }
    for (const server of servers) server.maxConnections = MAX_CONNECTIONS;
    const url = await listen(own, config.host, config.port, "--port");
    failpoint("witness: listening");
    const close = async () => {
      await drain(own);
      for (const server of servers) if (server !== own) endAtOnce(server);
      await opened.close();
    };
    return { url, metricsUrl, vkey, failed, close };
  } catch (error) {
    for (const server of servers) endAtOnce(server);
    await opened.close();
    throw error;
  }
}

interface Opened extends Pick<Serving, "witness" | "vkey" | "logger" | "read"> {
  readonly database: Awaited<ReturnType<typeof openWitness>>["database"];
}

function servingOf(config: Config, { witness, vkey, logger, database, read }: Opened): Serving {
  const { metricsPort, metricsToken: token, addressRate } = config;
  const registry = metricsPort === null && token === null ? null : new MetricsRegistry();
  return {
    witness,
    vkey,
    logger,
    read,
    byAddress: new RateLimit(addressRate),
    counting: registry && witnessMetrics(registry, database),
    metrics: registry && { text: () => registry.text(), token },
  };
}

/** Logs go to standard error: standard output is for the results of commands. */
function createLogger({ logLevel }: Config): Logger {
  const destination = pino.destination({ dest: 2, sync: true });
  // The disk behind the log may be full, or its terminal closed: lines are lost, and the witness goes on.
  destination.on("error", () => undefined);
  return pino({ name: "svc-witness", level: logLevel }, destination);
}
