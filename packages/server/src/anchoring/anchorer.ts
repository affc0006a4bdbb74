/**
 * The anchorer: it writes each new epoch of the service log into the contract, follows its transaction until enough
 * blocks are on top of it, and keeps the evidence. It runs under a lease, on one process at a time.
 *
 * The queue is in the database already, as epochs without an anchoring; so there is no other outbox. No transaction is
 * sent that is not stored there, under the lease, before: a process that ends, is paused or comes back late can send
 * only what is to be sent, and transactions of one epoch share a number until another one has used it. The contract
 * writes an epoch once. Where more epochs wait than may be on their way, the newest goes first, since it covers the
 * others, and those before it stay published.
 */
import { serviceTime } from "@svc/host/clock";
import { type Lease, LeasedLoop, LeaseLost, retryMs } from "@svc/host/jobs";
import { AnchorFault } from "../chain/anchor-fault.ts";
import { type AnchoringKey, readAnchoringKey } from "../chain/anchoring-key.ts";
import { type Block, Chain, CLOCKS_APART_S } from "../chain/chain.ts";
import { gweiOf } from "../chain/fees.ts";
import { RpcClient } from "../chain/rpc-client.ts";
import type { AnchoringConfig } from "../chain/settings.ts";
import type { Context } from "../context.ts";
import { failed, warned } from "../notices.ts";
import { highestMinedBlock, type MinedBlock } from "../service-log/mined-store.ts";
import { anchorFault, anchorStep } from "./anchor-step.ts";
import type { AnchoringParts } from "./anchoring-parts.ts";
import {
  type AnchoringStatus,
  anchoringOfEpoch,
  anchoringStatus,
  anchoringsInFlight,
  moveAnchoring,
  putStatus,
} from "./anchorings-store.ts";
import { epochToSend } from "./epoch-to-send.ts";
import { follow } from "./follow.ts";
import { restoreEarlier } from "./restore.ts";
import { sendEpoch } from "./send-epoch.ts";
import { type VoidedEpoch, voidMined } from "./voided-store.ts";

/** The most epochs on their way at a time: more of them would only wait for the same blocks. */
const MAX_IN_FLIGHT = 16;

/** The faults after which there is no sense in asking the node for anything else. */
const OF_NODE: ReadonlySet<string> = new Set([
  ...["unreachable", "timed_out", "redirected", "answer_too_large", "answer_malformed", "node_refused"],
  ...["wrong_network"],
]);
/** The faults with which the anchoring of an epoch has failed. */
const ENDED: ReadonlySet<string> = new Set(["transaction_reverted", "epoch_taken", "network_changed"]);

/** A pause after faults, by a clock that never goes back. */
interface Backoff {
  readonly attempts: number;
  readonly untilMs: number;
}

const NO_BACKOFF: Backoff = { attempts: 0, untilMs: Number.NEGATIVE_INFINITY };

/** Anchors the epochs of a deployment. */
export class Anchorer {
  readonly #context: Context;
  readonly #config: AnchoringConfig;
  readonly #rpc: RpcClient;
  readonly #parts: AnchoringParts;
  #key: AnchoringKey | null = null;
  /** After a fault of the node, nothing is asked for a while; after one that is about sending, nothing is sent. */
  #backoff = { ask: NO_BACKOFF, send: NO_BACKOFF };
  /** The fault for which nothing is sent for a while. */
  #sendFault: AnchorFault | null = null;
  /** The newest block so far, and since when nothing is on top of it. */
  #head = { number: -1, sinceMs: 0 };
  /** The piece of evidence that is kept aside up to which the last round has looked; null to begin anew. */
  #lookedAt: VoidedEpoch | null = null;
  /** The code of the last fault; null where there is none. */
  #fault: string | null = null;
  /** The loop. */
  readonly job: LeasedLoop;

  constructor(context: Context, config: AnchoringConfig) {
    this.#context = context;
    this.#config = config;
    this.#rpc = new RpcClient(config.rpc, config.timeoutMs);
    this.#parts = {
      context,
      config,
      chain: new Chain(this.#rpc, config.chainId),
      key: () => {
        this.#key ??= readAnchoringKey(config.keyFile);
        return this.#key;
      },
      tell: (step, _epochNo, words) => {
        context.channel.publish(anchorStep, step);
        if (words !== undefined) context.channel.publish(warned, words);
      },
    };
    this.job = new LeasedLoop(context, {
      jobName: "anchorer",
      intervalMs: config.pollMs,
      onError: (error) => context.channel.publish(failed, error),
      hasWork: () => this.#hasWork(),
      work: (lease, stop) => this.#work(lease, stop),
    });
  }

  /** Closes the connections. Called when the loop has stopped. */
  close(): void {
    this.#rpc.close();
  }

  #hasWork(): Promise<boolean> {
    const now = performance.now();
    const { ask, send } = this.#backoff;
    if (now < ask.untilMs) return Promise.resolve(false);
    return this.#context.database.read(
      async (reader) =>
        (await anchoringsInFlight(reader)).length > 0 || (now >= send.untilMs && (await epochToSend(reader)) !== null),
    );
  }

  async #work(lease: Lease, stop: AbortSignal): Promise<void> {
    let status: Pick<AnchoringStatus, "head_number" | "balance_gwei" | "nonce"> | null = null;
    let fault: AnchorFault | null = null;
    this.#rpc.stop = stop;
    try {
      const { chain } = this.#parts;
      await chain.requireNetwork();
      const head = await chain.head();
      await this.#requireKept(lease, head);
      this.#lookedAt = await restoreEarlier(this.#parts, lease, this.#lookedAt);
      fault = (await this.#followAll(lease, head, stop)) ?? (stop.aborted ? null : await this.#sendNext(lease, head));
      fault ??= await this.#stalled(head);
      const { address } = this.#parts.key();
      status = {
        head_number: head.number,
        balance_gwei: gweiOf(await chain.balance(address)),
        nonce: await chain.transactionCount(address, "latest"),
      };
      this.#backoff = { ...this.#backoff, ask: NO_BACKOFF };
    } catch (error) {
      // A call that was cut off says nothing of the node.
      if (stop.aborted) return;
      if (error instanceof LeaseLost) throw error;
      this.#backoff = { ...this.#backoff, ask: longer(this.#backoff.ask) };
      if (!(error instanceof AnchorFault)) {
        this.#context.channel.publish(anchorFault, "internal");
        throw error;
      }
      fault = error;
    }
    await this.#note(lease, status, fault);
  }

  /** Looks after all that is on its way. Resolves to the first fault that is about one of them. */
  async #followAll(lease: Lease, head: Block, stop: AbortSignal): Promise<AnchorFault | null> {
    let first: AnchorFault | null = null;
    for (const anchoring of await this.#context.database.read(anchoringsInFlight)) {
      if (stop.aborted) break;
      try {
        await follow(this.#parts, lease, anchoring, head);
      } catch (error) {
        if (!(error instanceof AnchorFault) || OF_NODE.has(error.code)) throw error;
        // The same epoch would come to the same end at once.
        if (ENDED.has(error.code)) this.#putOff(error);
        first ??= error;
      }
    }
    return first;
  }

  /** Sends the next epoch, if there is one and room for it. Resolves to the fault for which it was not sent. */
  async #sendNext(lease: Lease, head: Block): Promise<AnchorFault | null> {
    if (performance.now() < this.#backoff.send.untilMs) return this.#sendFault;
    const { next, inFlight } = await this.#context.database.read(async (reader) => ({
      next: await epochToSend(reader),
      inFlight: (await anchoringsInFlight(reader)).length,
    }));
    if (next === null || inFlight >= MAX_IN_FLIGHT) return null;
    try {
      await sendEpoch(this.#parts, lease, next, head);
      this.#backoff = { ...this.#backoff, send: NO_BACKOFF };
      return null;
    } catch (error) {
      if (!(error instanceof AnchorFault) || OF_NODE.has(error.code)) throw error;
      return this.#putOff(error);
    }
  }

  #putOff(fault: AnchorFault): AnchorFault {
    this.#sendFault = fault;
    this.#backoff = { ...this.#backoff, send: longer(this.#backoff.send) };
    return fault;
  }

  /**
   * Looks whether the chain still has the highest blocks of which evidence is kept: a chain can remove blocks that were
   * taken as final, and a node can have made them up. Their anchorings go back to their beginning. Evidence of a chain
   * that was configured before is for that chain to void.
   */
  async #requireKept(lease: Lease, head: Block): Promise<void> {
    const { chain } = this.#parts;
    for (;;) {
      const { last, anchoring } = await this.#context.database.read(async (reader) => {
        const last = await highestMinedBlock(reader, this.#config.network);
        return { last, anchoring: last === null ? null : await anchoringOfEpoch(reader, last.epoch_no) };
      });
      if (last === null || anchoring === null) return;
      const block = await chain.blockAt(last.block_number);
      if (block === null ? isBehind(head, last) : block.hash === last.block_hash) return;
      const receipt = await chain.receipt(anchoring.tx_hash);
      if (receipt?.blockHash === last.block_hash)
        throw new AnchorFault(
          "node_contradicted",
          `block ${last.block_number} is ${block?.hash ?? "missing"} and not ${last.block_hash}, it says, and the transaction of epoch ${last.epoch_no} is still where it was`,
        );
      await this.#remove(lease, last);
      const words = `The chain does not have block ${last.block_number} any more, which was taken as final: the evidence of epoch ${last.epoch_no} is void and kept aside, and it is anchored again. SVC_ANCHOR_CONFIRMATIONS is too low for this chain, or a node has lied.`;
      this.#parts.tell("removed", last.epoch_no, words);
    }
  }

  async #remove(lease: Lease, mined: MinedBlock): Promise<void> {
    await this.#context.database.write(
      async (writer) => {
        await lease.hold(writer);
        await voidMined(writer, mined);
        const anchoring = await anchoringOfEpoch(writer, mined.epoch_no);
        if (anchoring !== null)
          await moveAnchoring(writer, anchoring, { state: "pending", block_number: null, block_hash: null });
      },
      { isLocking: true },
    );
  }

  /** Resolves to a fault if something is on its way and no block has come for as long as a transaction may wait. */
  async #stalled(head: Block): Promise<AnchorFault | null> {
    const now = performance.now();
    const isWaiting = (await this.#context.database.read(anchoringsInFlight)).length > 0;
    if (!isWaiting || head.number !== this.#head.number) this.#head = { number: head.number, sinceMs: now };
    return now - this.#head.sinceMs < this.#config.stuckMs
      ? null
      : new AnchorFault(
          "chain_stalled",
          `its newest block is still ${head.number}, of ${serviceTime(1000 * head.unixSeconds)}`,
        );
  }

  /** Keeps what was seen, and tells of a fault where it is another than the one before, and of its end. */
  async #note(lease: Lease, seen: Partial<AnchoringStatus> | null, fault: AnchorFault | null): Promise<void> {
    const { database, channel, clock } = this.#context;
    if (fault !== null) channel.publish(anchorFault, fault.code);
    if (fault !== null && fault.code !== this.#fault)
      channel.publish(warned, `Epochs are not anchored at present, and it is tried again: ${fault.message}`);
    if (fault === null && this.#fault !== null) channel.publish(warned, "Epochs are anchored again.");
    this.#fault = fault?.code ?? null;
    const before = await database.read(anchoringStatus);
    const isSame = before !== null && codeOf(before.problem) === (fault?.code ?? null);
    const after = {
      head_number: null,
      balance_gwei: null,
      nonce: null,
      ...before,
      ...seen,
      problem: fault?.message ?? null,
      problem_since: fault === null ? null : isSame ? before.problem_since : serviceTime(clock()),
    };
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    await database.write(
      async (writer) => {
        await lease.hold(writer);
        await putStatus(writer, after);
      },
      { givesWay: true, isLocking: true },
    );
  }
}

/**
 * Says whether a node that lacks a block may only be behind. One whose newest block is younger than the evidence is
 * not: its chain never had so many blocks.
 */
function isBehind(head: Block, { anchored_at }: MinedBlock): boolean {
  return head.unixSeconds <= Date.parse(anchored_at) / 1000 + CLOCKS_APART_S;
}

function codeOf(problem: string | null): string | null {
  return problem === null ? null : problem.slice(0, problem.indexOf(":"));
}

function longer({ attempts }: Backoff): Backoff {
  return { attempts: attempts + 1, untilMs: performance.now() + retryMs(attempts) };
}
