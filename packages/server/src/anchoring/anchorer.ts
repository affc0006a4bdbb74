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
import type { Block } from "../chain/chain.ts";
import { gweiOf } from "../chain/fees.ts";
import { type ChainNode, nodesOf } from "../chain/nodes.ts";
import type { AnchoringConfig } from "../chain/settings.ts";
import type { Context } from "../context.ts";
import { failed, warned } from "../notices.ts";
import { anchorFault, anchorStep } from "./anchor-step.ts";
import type { AnchoringParts } from "./anchoring-parts.ts";
import { type AnchoringStatus, anchoringStatus, anchoringsInFlight, putStatus } from "./anchorings-store.ts";
import { epochToSend } from "./epoch-to-send.ts";
import { follow } from "./follow.ts";
import { requireStored } from "./require-stored.ts";
import { restoreEarlier } from "./restore.ts";
import { sendEpoch } from "./send-epoch.ts";
import type { VoidedEpoch } from "./voided-store.ts";

/** The most epochs on their way at a time: more of them would only wait for the same blocks. */
const MAX_IN_FLIGHT = 16;

/** The faults after which there is no sense in asking the node for anything else. */
const OF_NODE: ReadonlySet<string> = new Set([
  ...["unreachable", "timed_out", "redirected", "answer_too_large", "answer_malformed", "node_refused"],
  ...["wrong_network"],
]);
/** The faults with which the anchoring of an epoch has failed. */
const ENDED: ReadonlySet<string> = new Set(["transaction_reverted", "epoch_taken", "network_changed"]);

/** The faults for which another node is asked in the next round: this one may lie, or be cut off. */
const OF_DOUBTFUL_NODE: ReadonlySet<string> = new Set([
  ...["node_contradicted", "node_behind", "evidence_invalid"],
  ...["transaction_refused", "contract_missing", "contract_replaced", "chain_stalled"],
]);

/** The outcome of a round. */
interface Outcome {
  readonly seen: Pick<AnchoringStatus, "head_number" | "balance_gwei" | "nonce">;
  /** The reason why something did not come about. */
  readonly fault: AnchorFault | null;
  /** The reason why evidence is not void whose block a node denies. */
  readonly doubt: AnchorFault | null;
}

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
  readonly #nodes: readonly ChainNode[];
  readonly #parts: Omit<AnchoringParts, "chain" | "others">;
  /** The place of the node that is asked: the first one, until there is a reason to ask the next. */
  #place = 0;
  #key: AnchoringKey | null = null;
  /** After a fault of the node, nothing is asked for a while; after one that is about sending, nothing is sent. */
  #backoff = { ask: NO_BACKOFF, send: NO_BACKOFF };
  /** The fault for which nothing is sent for a while. */
  #sendFault: AnchorFault | null = null;
  /** The newest block so far, and since when nothing is on top of it. */
  #head = { number: -1, sinceMs: 0 };
  /** The piece of evidence that is kept aside up to which the last round has looked; null to begin anew. */
  #lookedAt: VoidedEpoch | null = null;
  /** The code of the last fault, or null. */
  #fault: string | null = null;
  /** The loop. */
  readonly job: LeasedLoop;

  constructor(context: Context, config: AnchoringConfig) {
    this.#context = context;
    this.#config = config;
    this.#nodes = nodesOf(config);
    this.#parts = {
      context,
      config,
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
    for (const { rpc } of this.#nodes) rpc.close();
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
    for (const { rpc } of this.#nodes) rpc.stop = stop;
    let first: AnchorFault | null = null;
    for (const _ of this.#nodes) {
      const node = this.#node();
      const putOff = this.#sendFault;
      let outcome: Outcome;
      try {
        outcome = await this.#round(node, lease, stop);
      } catch (error) {
        // A call that was cut off says nothing of the node.
        if (stop.aborted) return;
        if (error instanceof LeaseLost) throw error;
        if (!(error instanceof AnchorFault)) {
          this.#backoff = { ...this.#backoff, ask: longer(this.#backoff.ask) };
          this.#context.channel.publish(anchorFault, "internal");
          throw error;
        }
        first ??= this.#named(error, node);
        this.#askNext(error);
        continue;
      }
      const { seen, fault, doubt } = outcome;
      this.#backoff = { ...this.#backoff, ask: NO_BACKOFF };
      // A fault for which nothing is sent for a while was found before, perhaps at another node.
      if (fault !== null && fault !== putOff && OF_DOUBTFUL_NODE.has(fault.code)) this.#askNext(fault);
      return this.#note(lease, seen, this.#named(fault ?? doubt, node));
    }
    this.#backoff = { ...this.#backoff, ask: longer(this.#backoff.ask) };
    await this.#note(lease, null, first);
  }

  /** Does what there is to do, by the answers of one node. Rejects with AnchorFault if it gives none. */
  async #round({ chain }: ChainNode, lease: Lease, stop: AbortSignal): Promise<Outcome> {
    const others = this.#nodes.flatMap((one) => (one.chain === chain ? [] : [one.chain]));
    const parts: AnchoringParts = { ...this.#parts, chain, others };
    await chain.requireNetwork();
    const head = await chain.head();
    const doubt = await requireStored(parts, lease, head);
    this.#lookedAt = await restoreEarlier(parts, lease, this.#lookedAt);
    let fault = await this.#followAll(parts, lease, head, stop);
    fault ??= stop.aborted ? null : await this.#sendNext(parts, lease, head);
    fault ??= await this.#stalled(head);
    const { address } = this.#parts.key();
    const seen = {
      head_number: head.number,
      balance_gwei: gweiOf(await chain.balance(address)),
      nonce: await chain.transactionCount(address, "latest"),
    };
    return { seen, fault, doubt };
  }

  #node(): ChainNode {
    const node = this.#nodes[this.#place];
    if (node === undefined) throw new TypeError("no node is configured");
    return node;
  }

  #askNext(why: AnchorFault): void {
    const before = this.#node();
    this.#place = (this.#place + 1) % this.#nodes.length;
    const now = this.#node();
    // A fault that lasts is reported once, whichever node has it.
    if (now === before || why.code === this.#fault) return;
    const words =
      `Epochs are anchored by the node at ${now.host} from now on, and not by that at ${before.host}: ` +
      `${why.message}`;
    this.#context.channel.publish(warned, words);
  }

  /** Returns a fault with the node that it is of, where there are several. */
  #named(fault: AnchorFault | null, { host }: ChainNode): AnchorFault | null {
    if (fault === null || this.#nodes.length === 1) return fault;
    const words = fault.message.slice(fault.code.length + 2);
    return new AnchorFault(fault.code, `${words} (by the node at ${host})`, { cause: fault });
  }

  /** Looks after all that is on its way. Resolves to the first fault that is about one of them. */
  async #followAll(parts: AnchoringParts, lease: Lease, head: Block, stop: AbortSignal): Promise<AnchorFault | null> {
    let first: AnchorFault | null = null;
    for (const anchoring of await this.#context.database.read(anchoringsInFlight)) {
      if (stop.aborted) break;
      try {
        await follow(parts, lease, anchoring, head);
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
  async #sendNext(parts: AnchoringParts, lease: Lease, head: Block): Promise<AnchorFault | null> {
    if (performance.now() < this.#backoff.send.untilMs) return this.#sendFault;
    const { next, inFlight } = await this.#context.database.read(async (reader) => ({
      next: await epochToSend(reader),
      inFlight: (await anchoringsInFlight(reader)).length,
    }));
    if (next === null || inFlight >= MAX_IN_FLIGHT) return null;
    try {
      await sendEpoch(parts, lease, next, head);
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

function codeOf(problem: string | null): string | null {
  return problem === null ? null : problem.slice(0, problem.indexOf(":"));
}

function longer({ attempts }: Backoff): Backoff {
  return { attempts: attempts + 1, untilMs: performance.now() + retryMs(attempts) };
}
