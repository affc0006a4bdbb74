/**
 * Reads the published epochs of the service log: with the inclusion of a checkpoint and the evidence of a chain, as
 * notes, in their order, and the proof that one extends another. All of it is hashes, keys and times, which anybody may
 * see.
 */
import type { Page, PageRequest } from "@svc/api";
import type { Anchor, AnchorConsistency } from "@svc/core";
import { ServiceError } from "@svc/host/errors";
import { pageOf } from "@svc/host/http/pages";
import type { Reader } from "@svc/host/store";
import type { AnsweringContext } from "../context.ts";
import { memberOf } from "./covering-epoch.ts";
import { epochsAfter, findEpoch, newestEpoch } from "./epochs-store.ts";
import { consistencyPath } from "./log-tree.ts";
import { minedByNo, newestMined } from "./mined-store.ts";

/** The names by which a request asks for the newest epoch, and for the newest one with evidence of a chain. */
const LATEST = "latest";
const LATEST_ANCHORED = "latest-anchored";

/** Reads the epochs of a deployment. */
export class ReadAnchors {
  readonly #context: Pick<AnsweringContext, "database" | "issuing" | "signingKey">;

  constructor(context: Pick<AnsweringContext, "database" | "issuing" | "signingKey">) {
    this.#context = context;
  }

  /**
   * Resolves to an epoch by its id, or to the newest one. `checkpointId`: the checkpoint whose place it is to show;
   * null for none. Rejects with `anchor_not_found` and `checkpoint_not_in_epoch`.
   */
  anchor(anchorId: string, checkpointId: string | null): Promise<Anchor> {
    return this.#context.database.read(async (reader) => {
      const anchor = await this.#find(reader, anchorId);
      if (checkpointId === null) return anchor;
      const member = await memberOf(reader, this.#context.issuing, anchor, checkpointId);
      if (member !== null) return { ...anchor, members: [member] };
      throw new ServiceError(
        "checkpoint_not_in_epoch",
        `Epoch ${anchor.epoch_no} does not cover ${JSON.stringify(checkpointId)}: there is no such checkpoint, ` +
          `or it is newer. The newest epoch is "latest".`,
      );
    });
  }

  /** Resolves to the note of an epoch, with the lines so far. Rejects with `anchor_not_found`. */
  async note(anchorId: string): Promise<string> {
    return (await this.#context.database.read((reader) => this.#find(reader, anchorId))).note;
  }

  /** Resolves to a page of the epochs, in order. */
  anchors(page: PageRequest<number>): Promise<Page<Anchor>> {
    return this.#context.database.read(async (reader) => {
      const rows = await epochsAfter(reader, page.after ?? 0, page.limit + 1);
      return pageOf({ rows, end: null }, page, { place: ({ epoch_no }) => [epoch_no], item: (anchor) => anchor });
    });
  }

  /**
   * Resolves to the proof that an epoch extends an earlier one. Rejects with `anchor_not_found` and
   * `anchor_not_earlier`.
   */
  consistency(anchorId: string, earlierId: string): Promise<AnchorConsistency> {
    const { database, issuing, signingKey } = this.#context;
    return database.read(async (reader) => {
      const to = await this.#find(reader, anchorId);
      const from = await this.#find(reader, earlierId);
      if (from.epoch_no >= to.epoch_no)
        throw new ServiceError(
          "anchor_not_earlier",
          `Anchor ${from.anchor_epoch_id} is not earlier than ${to.anchor_epoch_id}. Name an earlier one as "from".`,
          { path: "?from" },
        );
      const consistency_path = await consistencyPath(reader, issuing, from.log_size, to.log_size);
      return { from_anchor: from, to_anchor: to, consistency_path, ...(await signingKey.carried(reader)) };
    });
  }

  /** Resolves to an epoch, with its evidence of a chain if there is any. */
  async #find(reader: Reader, anchorId: string): Promise<Anchor> {
    const found =
      anchorId === LATEST_ANCHORED
        ? await newestMined(reader)
        : anchorId === LATEST
          ? await newestEpoch(reader)
          : await findEpoch(reader, anchorId);
    if (found !== null) return found.evidence === null ? ((await minedByNo(reader, found.epoch_no)) ?? found) : found;
    const which: Readonly<Record<string, string>> = {
      [LATEST]: "No epoch has been published yet.",
      [LATEST_ANCHORED]: "No epoch has been anchored in a chain yet.",
    };
    throw new ServiceError("anchor_not_found", which[anchorId] ?? `There is no anchor ${JSON.stringify(anchorId)}.`);
  }
}
