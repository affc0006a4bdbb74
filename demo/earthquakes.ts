/**
 * The demo's records: 1,707 earthquakes of one week as the USGS published them (GeoJSON, public domain;
 * records/README.md), oldest first.
 */
import { readFileSync } from "node:fs";
import type { EventInput } from "@svc/sdk";

type Feature = {
  readonly id: string;
  readonly properties: {
    /** Unix milliseconds. */
    readonly time: number;
    /** Offset of the local zone from UTC, in minutes. */
    readonly tz: number;
    readonly status: string;
    readonly title: string;
  };
};

/** Returns the earthquakes as events, in the order in which they happened. */
export function earthquakes(): EventInput[] {
  const file = new URL("records/earthquakes.json", import.meta.url);
  const { features } = JSON.parse(readFileSync(file, "utf8")) as { features: Feature[] };
  return [...features].sort((a, b) => a.properties.time - b.properties.time).map(toEvent);
}

function toEvent(feature: Feature): EventInput {
  const { time, tz, status } = feature.properties;
  return {
    source_ref: feature.id,
    event_type: `earthquake.${status}`,
    occurred_at: withOffset(time, tz),
    payload: feature,
  };
}

/** Returns an instant in local time with its offset, as in `2018-02-06T17:26:13.840-08:00`. */
function withOffset(unixMilliseconds: number, offsetMinutes: number): string {
  const local = new Date(unixMilliseconds + offsetMinutes * 60_000).toISOString().slice(0, -1);
  const size = Math.abs(offsetMinutes);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${local}${offsetMinutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
