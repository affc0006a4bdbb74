/**
 * A running server: service, application and listening socket. Knows how to drain: no new connections, requests in flight finished, the
 * sealer's step finished, the database closed.
 */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Kernel } from "@svc/core";
import { type Clock, systemClock } from "@svc/host/clock";
import { createListener } from "@svc/host/http";
import pino, { type Logger } from "pino";
import { buildApp, buildMetricsApp } from "./app.ts";
import type { Config } from "./config.ts";
import { Metrics } from "./metrics/metrics.ts";
import { openService, type Service, type ServiceOptions } from "./open-service.ts";

/** How long a drain waits for requests in flight. */
const DRAIN_MS = 30_000;
const SWEEP_MS = 20;
/** How long a request may already be on its way on an idle connection. */
const LAST_REQUESTS_MS = 200;

export interface RunningServer {
  readonly url: string;
  /** Where the metrics are, if they have a port for themselves. */
  readonly metricsUrl: string | null;
  readonly service: Service;
  /** Comes where the disk has failed: nothing more is recorded until another process opens the folder. */
  readonly failed: Promise<Error>;
  /** Drains and closes. */
  close(): Promise<void>;
}

export async function serve(
  config: Config,
  {
    kernel,
    clock = systemClock,
    ...opening
  }: { readonly kernel: Kernel; readonly clock?: Clock } & Pick<ServiceOptions, "openDatabase" | "renewProgressFile">,
): Promise<RunningServer> {
  const logger = createLogger(config);
  const metrics = config.metricsPort === null && config.metricsToken === null ? null : new Metrics();
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<Error>((resolve) => {
    fail = resolve;
  });
  const service = await openService({
    ...config,
    ...opening,
    kernel,
    clock,
    onRecorded: (events) => metrics?.recorded(events),
    onBuilt: (outcome) => metrics?.built(outcome),
    onFork: ({ stream_id, fork_id, kind }) => {
      metrics?.foundFork();
      logger.error({ stream_id, fork_id, kind }, "this service has signed two histories of a stream; see its forks");
    },
    onUncertain: (error) => {
      logger.fatal(
        { err: error },
        "the disk has failed: this server ends, and what starts it again reads what is on disk",
      );
      fail(error);
    },
    onWarning: (words) => logger.warn(words),
    onError: (error) => {
      metrics?.failedBesideRequests();
      logger.error({ err: error }, "a step beside the requests failed; it will be tried again");
    },
  });
  metrics?.foundElsewhere(service.isElsewhere);
  const server = createListener(buildApp(service, logger, config, metrics));
  const scraped =
    config.metricsPort === null || metrics === null
      ? null
      : {
          server: createListener(buildMetricsApp(service, logger, config, metrics)),
          port: config.metricsPort,
        };
  try {
    const metricsOrigin =
      scraped === null ? null : await listen(scraped.server, config.host, scraped.port, "SVC_METRICS_PORT");
    const url = await listen(server, config.host, config.port, "--port");
    for (const job of service.jobs) job.start();
    return {
      url,
      metricsUrl: metricsOrigin === null ? null : `${metricsOrigin}/metrics`,
      service,
      failed,
      close: async () => {
        await drain(server);
        endAtOnce(scraped?.server);
        await service.close();
      },
    };
  } catch (error) {
    endAtOnce(scraped?.server);
    await service.close();
    throw error;
  }
}

/** Logs go to standard error, so that standard output stays for what the commands say. */
function createLogger({ logLevel }: Config): Logger {
  const destination = pino.destination({ dest: 2, sync: true });
  // A full disk behind the log, or a closed terminal: lines are lost, and the server goes on.
  destination.on("error", () => undefined);
  return pino({ name: "svc-server", level: logLevel }, destination);
}

/** `setting`: what a person changes to get another port. */
function listen(server: Server, host: string, port: number, setting: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(listenFault(error, host, port, setting));
    server.once("error", refuse);
    server.listen(port, host, () => {
      server.off("error", refuse);
      const { address, family, port: actual } = server.address() as AddressInfo;
      resolve(`http://${family === "IPv6" ? `[${address}]` : address}:${actual}`);
    });
  });
}

function listenFault(error: NodeJS.ErrnoException, host: string, port: number, setting: string): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} of ${host} is in use. Choose another with ${setting}, or 0 for a free one.`,
    EACCES: `Port ${port} may not be opened by this user. Choose one from 1024 up with ${setting}.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Choose another with --host.`,
    ENOTFOUND: `${host} cannot be resolved to an address. Choose another with --host.`,
  };
  return new Error(reasons[error.code ?? ""] ?? `Cannot listen on ${host}, port ${port}: ${error.message}`, {
    cause: error,
  });
}

/** Ends a server that answers nothing that anybody would miss. */
function endAtOnce(server: Server | undefined): void {
  server?.close();
  server?.closeAllConnections();
}

/**
 * Ends kept-alive connections with the answer to their request, then takes no new connection. Closing is put off for a moment: it would
 * cut off idle connections whose next request is already on its way. A client that never finishes its request is cut off in the end:
 * nothing of it has been recorded.
 */
function drain(server: Server): Promise<void> {
  server.on("request", (_request, response) => {
    response.shouldKeepAlive = false;
  });
  return new Promise((resolve, reject) => {
    setTimeout(() => {
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      const cutOff = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      server.close((error) => {
        clearInterval(sweep);
        clearTimeout(cutOff);
        if (error === undefined) resolve();
        else reject(error);
      });
    }, LAST_REQUESTS_MS);
  });
}
