/** The metrics of the archive. */
import type { MetricsRegistry } from "@svc/host/metrics";
import type { AnsweringContext } from "../context.ts";
import { type ArchiveFigures, archiveFigures } from "./archives-store.ts";

/** Adds the gauges of the archive, which are read from the database. */
export function archiveMetrics(registry: MetricsRegistry, { database }: AnsweringContext): void {
  // All gauges are asked for together, and one read answers them: it goes through a row for each file.
  let reading: Promise<ArchiveFigures> | null = null;
  const figures = () => {
    reading ??= database.read(archiveFigures).finally(() => {
      reading = null;
    });
    return reading;
  };
  const gauge = (name: string, help: string, figure: keyof ArchiveFigures) =>
    registry.gauge(name, help, async () => (await figures())[figure]);
  gauge("svc_archive_files", "Files of the archive.", "files");
  gauge("svc_archive_bytes", "Bytes of the files of the archive.", "bytes");
  gauge("svc_archived_events", "Events whose payloads are in files of the archive alone.", "events");
  gauge(
    "svc_archive_left_events",
    "Old events whose payloads stay in the database, since their evidence is too large for one file.",
    "left",
  );
  gauge("svc_archive_stale_files", "Files of the archive that still hold an erased payload.", "stale");
}
