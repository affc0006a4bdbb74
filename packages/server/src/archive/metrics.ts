/** The metrics of the archive. */
import type { MetricsRegistry } from "@svc/host/metrics";
import type { AnsweringContext } from "../context.ts";
import { archiveTotals, countStale } from "./archives-store.ts";

/** Adds the gauges of the archive, which are read from the database. */
export function archiveMetrics(registry: MetricsRegistry, { database }: AnsweringContext): void {
  const total = (name: string, help: string, figure: "files" | "bytes" | "events" | "left") =>
    registry.gauge(name, help, async () => (await database.read(archiveTotals))[figure]);
  total("svc_archive_files", "Files of the archive.", "files");
  total("svc_archive_bytes", "Bytes of the files of the archive.", "bytes");
  total("svc_archived_events", "Events whose payloads are in files of the archive alone.", "events");
  total(
    "svc_archive_left_events",
    "Old events whose payloads stay in the database, since their evidence is too large for one file.",
    "left",
  );
  registry.gauge("svc_archive_stale_files", "Files of the archive that still hold an erased payload.", () =>
    database.read(countStale),
  );
}
