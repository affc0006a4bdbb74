/**
 * The migrations of the server, in order: they bring a database to this release's schema. Each is in the folder of its
 * family.
 */
import type { Migration } from "@svc/host/store";
import type { ServerFamily } from "../context.ts";
import { FAMILIES } from "../families.ts";
import { initial } from "./0001-initial.ts";
import { lists } from "./0013-lists.ts";
import { outsideWitnesses } from "./0022-outside-witnesses.ts";
import { unconfirmedCommits } from "./0027-unconfirmed-commits.ts";
import { unconfirmedByNumber } from "./0029-unconfirmed-by-number.ts";

/** The migrations that belong to several families. */
const SHARED: readonly Migration[] = [initial, lists, outsideWitnesses, unconfirmedCommits, unconfirmedByNumber];
const families: readonly ServerFamily[] = FAMILIES;

/** The migrations of this release, from version 1 on without a gap. A released one is never edited. */
export const MIGRATIONS: readonly Migration[] = [
  ...SHARED,
  ...families.flatMap(({ migrations = [] }) => migrations),
].sort((one, other) => one.version - other.version);
