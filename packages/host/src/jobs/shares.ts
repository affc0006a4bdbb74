/** How the shards of a job are divided among the processes that are alive: evenly, and the same in the eyes of all. */
import { createHash } from "node:crypto";

/** The part of an owner: how many shards it may have, and the one at which it begins to look for free ones. */
export interface Part {
  readonly most: number;
  readonly first: number;
}

/** Returns the part of one of the living owners. All parts together are all shards, and differ by one at most. */
export function partOf(owner: string, living: readonly string[], shards: number): Part {
  const rank = living.toSorted().indexOf(owner);
  const [each, rest] = [Math.floor(shards / living.length), shards % living.length];
  return { most: each + (rank < rest ? 1 : 0), first: rank * each + Math.min(rank, rest) };
}

/** Returns the shard of an object, from 0. It is the same in every process and release. */
export function shardOf(object: string, shards: number): number {
  return shards === 1 ? 0 : createHash("sha256").update(object).digest().readUInt32BE() % shards;
}
