/**
 * A running server: service, applications, listening sockets, and its log. To end, it refuses new connections, finishes
 * the requests in flight and the sealer's step, and closes the database.
 */
import type { Face } from "@svc/api";
import type { Kernel } from "@svc/core";
import { Channel } from "@svc/host/channel";
import { type Clock, systemClock } from "@svc/host/clock";
import { createListener, drain, endAtOnce, listen } from "@svc/host/http";
import { MetricsRegistry, RequestMetrics } from "@svc/host/metrics";
import pino, { type Logger } from "pino";
import { forked } from "../forks/forked.ts";
import { diskFailed, failed, recordingEnded, warned } from "../notices.ts";
import type { Program } from "../program/program.ts";
import type { RecordingThreadOptions } from "../recording/messages.ts";
import type { RecordingOptions } from "../recording/open-recording.ts";
import type { Config } from "../settings/config.ts";
import { buildApps, buildMetricsApp } from "./app.ts";
import { type AnsweringService, openService, openServiceOnThreads, type Service } from "./open-service.ts";

/** A server that listens. */
export interface RunningServer<Opened extends AnsweringService = AnsweringService> {
  readonly url: string;
  /** The URL of the metrics, if they have a separate port. */
  readonly metricsUrl: string | null;
  /** The URLs of the faces that have a port alone. */
  readonly faceUrls: Readonly<Partial<Record<Face, string>>>;
  readonly service: Opened;
  /**
   * Resolves when the disk or the thread that records has failed: nothing more is recorded until another process opens
   * the folder.
   */
  readonly failed: Promise<Error>;
  /** Drains the connections, and closes the deployment. */
  close(): Promise<void>;
}

/**
 * Opens a deployment on this thread and serves it. Resolves when it listens and its jobs run. Rejects with the errors
 * of `openService` and `listen`.
 */
export function serve(
  program: Program,
  config: Config,
  { clock = systemClock, ...opening }: Opening & { readonly kernel: Kernel; readonly clock?: Clock },
): Promise<RunningServer<Service>> {
  return serveOpened(program, config, (shared) => openService({ ...opening, ...shared, program, config, clock }));
}

type Opening = Pick<RecordingOptions, "openDatabase" | "renewProgressFile">;

/** The same with the side that records on a separate thread. */
export function serveOnThreads(
  program: Program,
  config: Config,
  opening: Pick<RecordingThreadOptions, "renewProgressFile">,
): Promise<RunningServer> {
  return serveOpened(program, config, (shared) => openServiceOnThreads({ ...opening, ...shared, program, config }));
}

async function serveOpened<Opened extends AnsweringService>(
  { name }: Program,
  config: Config,
  open: (shared: { readonly channel: Channel; readonly metrics: MetricsRegistry | null }) => Promise<Opened>,
): Promise<RunningServer<Opened>> {
  const logger = createLogger(name, config);
  const channel = new Channel();
  keepLog(channel, logger);
  const failure = new Promise<Error>((resolve) => {
    for (const topic of [diskFailed, recordingEnded]) channel.subscribe(topic, resolve);
  });
  const { metricsPort, metricsToken } = config;
  const metrics = metricsPort === null && metricsToken === null ? null : new MetricsRegistry();
  const requestMetrics = metrics && new RequestMetrics(metrics);
  const service = await open({ channel, metrics });
  const apps = buildApps(service, logger, config, requestMetrics);
  const server = createListener(apps.main);
  const alone = apps.alone.map(({ face, port, listener }) => ({ face, port, server: createListener(listener) }));
  const scraped =
    metricsPort === null
      ? null
      : { server: createListener(buildMetricsApp(service, logger, config)), port: metricsPort };
  try {
    const metricsOrigin =
      scraped === null ? null : await listen(scraped.server, config.host, scraped.port, "SVC_METRICS_PORT");
    const faceUrls: Partial<Record<Face, string>> = {};
    for (const { face, port, server: ofFace } of alone)
      faceUrls[face] = await listen(ofFace, config.host, port, `SVC_${face.toUpperCase()}_PORT`);
    const url = await listen(server, config.host, config.port, "--port");
    service.start();
    return {
      url,
      metricsUrl: metricsOrigin === null ? null : `${metricsOrigin}/metrics`,
      faceUrls,
      service,
      failed: failure,
      close: async () => {
        await Promise.all([server, ...alone.map((one) => one.server)].map(drain));
        endAtOnce(scraped?.server);
        await service.close();
      },
    };
  } catch (error) {
    for (const one of alone) endAtOnce(one.server);
    endAtOnce(scraped?.server);
    await service.close();
    throw error;
  }
}

/** Logs go to standard error: standard output is for the results of commands. */
function createLogger(name: string, { logLevel }: Config): Logger {
  const destination = pino.destination({ dest: 2, sync: true });
  // The disk behind the log may be full, or its terminal closed: lines are lost, and the server continues.
  destination.on("error", () => undefined);
  return pino({ name, level: logLevel }, destination);
}

function keepLog(channel: Channel, logger: Logger): void {
  channel.subscribe(forked, ({ stream_id, fork_id, kind }) =>
    logger.error({ stream_id, fork_id, kind }, "this service has signed two histories of a stream; see its forks"),
  );
  channel.subscribe(diskFailed, (error) =>
    logger.fatal(
      { err: error },
      "the disk has failed: this server ends, and what starts it again reads what is on disk",
    ),
  );
  channel.subscribe(recordingEnded, (error) =>
    logger.fatal(
      { err: error },
      "the thread that records has ended: this server ends, and what starts it again reads what is on disk",
    ),
  );
  channel.subscribe(warned, (words) => logger.warn(words));
  channel.subscribe(failed, (error) =>
    logger.error({ err: error }, "a step beside the requests failed; it will be tried again"),
  );
}
