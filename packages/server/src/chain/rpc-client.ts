/**
 * Calls of one node over HTTP, through the way out of the deployment. The node is not trusted: an answer that is not
 * one to this very call is a fault with a name. No fault repeats the node's address, which may hold a key of its
 * operator. `svc` has online/chain-node.ts instead: it asks a reader's node a few questions, by the one module that
 * connects there, and refuses in words for a person. Both read the answers with core's json-rpc.ts.
 */
import { answerTo, callText } from "@svc/core/json-rpc";
import { Egress, EgressError } from "@svc/host/egress";
import { AnchorFault } from "./anchor-fault.ts";

/** The most bytes of an answer: a block with the hashes of all of its transactions is far smaller. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
/** The most calls of this process that are on their way at a time. */
const MAX_AT_ONCE = 2;
const MAX_SHOWN_CHARACTERS = 200;
/** A piece of the node's address from so many characters on may be a key; shorter ones are words like `v1`. */
const KEY_CHARACTERS = 8;

/** The words of nodes for a balance that does not pay for a transaction. */
export const POOR = /insufficient funds|insufficient balance/i;

/** The node refused a call, in its own words. */
export class RpcRefusal extends AnchorFault {
  /** The words of the node, shortened, without control characters. */
  readonly said: string;

  constructor(method: string, said: string) {
    super("node_refused", `it refused ${method}: ${said}`);
    this.said = said;
  }
}

/** The calls of one node. */
export class RpcClient {
  readonly #url: URL;
  readonly #timeoutMs: number;
  readonly #egress: Egress;
  #calls = 0;
  /** Cuts off all calls when it is aborted. */
  stop: AbortSignal | null = null;

  constructor(url: string, timeoutMs: number) {
    this.#url = new URL(url);
    this.#timeoutMs = timeoutMs;
    this.#egress = new Egress([this.#url.origin], MAX_AT_ONCE);
  }

  /**
   * Resolves to the result of a call, of any form. Rejects with AnchorFault; with RpcRefusal where the node answers
   * with an error.
   */
  async call(method: string, params: readonly unknown[]): Promise<unknown> {
    const id = ++this.#calls;
    const { status, body } = await this.#send(callText(id, method, params));
    const answer = answerTo(id, body);
    if (answer.ok) return answer.result;
    if ("refusal" in answer) throw new RpcRefusal(method, shown(answer.refusal, this.#url));
    throw new AnchorFault("answer_malformed", `its answer to ${method}, of status ${status}, ${answer.malformed}`);
  }

  /** Closes the connections. */
  close(): void {
    this.#egress.close();
  }

  async #send(body: string) {
    try {
      return await this.#egress.send({
        url: this.#url,
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body,
        timeoutMs: this.#timeoutMs,
        maxAnswerBytes: MAX_ANSWER_BYTES,
        ...(this.stop === null ? {} : { signal: this.stop }),
      });
    } catch (error) {
      if (error instanceof EgressError) throw new AnchorFault(error.fault, error.message, { cause: error });
      throw error;
    }
  }
}

/** Returns the beginning of a node's words, which may repeat the address that was asked. */
function shown(words: string, { pathname, search }: URL): string {
  const secrets = `${pathname}${search}`.split(/[/?&=]/).filter(({ length }) => length >= KEY_CHARACTERS);
  return secrets.reduce((text, secret) => text.replaceAll(secret, "…"), words).slice(0, MAX_SHOWN_CHARACTERS);
}
