/** The tables of a deployment on PostgreSQL, by how they grow: as its families say it. */
import type { Growth, Table } from "@svc/host/store";
import { THIN_SERVER } from "../../../server/src/thin-server/program.ts";

const growing = (...growths: Growth[]): readonly Table[] =>
  THIN_SERVER.tables.filter(({ grows }) => growths.includes(grows));
const names = (tables: readonly Table[]): ReadonlySet<string> => new Set(tables.map(({ name }) => name));

/**
 * Tables that grow with events and requests, each with the column by which a database that shards spreads its rows:
 * those with one value are in one place.
 */
export const KEYS: Readonly<Record<string, string>> = Object.fromEntries(
  growing("requests").map(({ name, shard }) => [name, shard ?? ""]),
);

/**
 * The tables of the service log, which is one log over all streams: they grow with checkpoints, are written by one job
 * alone, and are in one place.
 */
export const OF_SERVICE_LOG: ReadonlySet<string> = names(growing("log"));

/** The tables that grow with events and requests. */
export const GROWING: ReadonlySet<string> = names(growing("requests", "log"));

/**
 * Tables that grow with what operators, auditors and processes do: systems, keys, policies, packages, reports. Each
 * shard can have all of their rows, or one of them all.
 */
export const SMALL: ReadonlySet<string> = new Set([...names(growing("administration")), "schema_migrations"]);
