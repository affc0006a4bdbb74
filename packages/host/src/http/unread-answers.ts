/**
 * Bounds the memory for answers that their clients do not take. An answer counts from when it was made until the system
 * has taken all of it, also one that waits behind another of its connection. If all together are too large, the address
 * with the most bytes loses its connection with the most: that is cut off, with all of its answers.
 */
import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { askerOf } from "./asker.ts";

/** The answers of one connection, by their bytes. */
interface Connection {
  readonly owner: string;
  readonly answers: Map<ServerResponse, number>;
  bytes: number;
}

/** The answers of one server that wait to be taken. */
export class UnreadAnswers {
  readonly #maxBytes: number;
  readonly #connections = new Map<Socket, Connection>();
  readonly #ofOwner = new Map<string, number>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The bytes that wait now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts what waits of an answer now, until it is taken or its connection has ended. */
  count(response: ServerResponse): void {
    const { socket } = response.req;
    const bytes = response.writableLength;
    // Nobody takes the bytes for a connection that has ended, and nothing keeps them.
    if (socket.destroyed) return;
    const known = this.#connections.get(socket);
    if (bytes === 0 && known?.answers.has(response) !== true) return;
    const connection = known ?? this.#opened(socket);
    // One listener for each answer, however often its bytes come and go.
    if (!connection.answers.has(response)) response.once("finish", () => this.#taken(connection, response));
    this.#set(connection, response, bytes);
    while (this.#bytes > this.#maxBytes && this.#giveWay());
  }

  /** Node tells no answer that waits behind another one of the end of its connection: the connection tells of it. */
  #opened(socket: Socket): Connection {
    const connection = { owner: askerOf(socket.remoteAddress ?? ""), answers: new Map(), bytes: 0 };
    this.#connections.set(socket, connection);
    socket.once("close", () => this.#release(socket));
    return connection;
  }

  #set(connection: Connection, response: ServerResponse, bytes: number): void {
    const more = bytes - (connection.answers.get(response) ?? 0);
    connection.answers.set(response, bytes);
    this.#add(connection, more);
  }

  #taken(connection: Connection, response: ServerResponse): void {
    this.#set(connection, response, 0);
    connection.answers.delete(response);
  }

  #release(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    this.#connections.delete(socket);
    connection.answers.clear();
    this.#add(connection, -connection.bytes);
  }

  #add(connection: Connection, bytes: number): void {
    connection.bytes += bytes;
    this.#bytes += bytes;
    const sum = (this.#ofOwner.get(connection.owner) ?? 0) + bytes;
    if (sum > 0) this.#ofOwner.set(connection.owner, sum);
    else this.#ofOwner.delete(connection.owner);
  }

  /** Cuts off the connection with the most bytes of the owner with the most. Returns false without any. */
  #giveWay(): boolean {
    const [owner] = greatest(this.#ofOwner, (bytes) => bytes) ?? [];
    const found = greatest(this.#connections, (one) => (one.owner === owner ? one.bytes : 0));
    if (found === null || found[1].bytes === 0) return false;
    const [socket] = found;
    this.#release(socket);
    socket.destroy();
    return true;
  }
}

/**
 * Returns the class of answers that are counted whenever something of them is written. The event `prefinish` does not
 * tell of an answer that waits behind another one: Node emits it when the other was taken.
 */
export function countedResponses(unread: UnreadAnswers) {
  return class CountedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    constructor(...made: ConstructorParameters<typeof ServerResponse<Request>>) {
      super(...made);
      // They are the object's own, since Express gives it another prototype.
      const [write, end] = [this.write, this.end];
      this.write = (...values: unknown[]) => {
        const isBelow = Reflect.apply(write, this, values) as boolean;
        unread.count(this);
        return isBelow;
      };
      this.end = (...values: unknown[]) => {
        Reflect.apply(end, this, values);
        unread.count(this);
        return this;
      };
    }
  };
}

function greatest<Key, Value>(all: ReadonlyMap<Key, Value>, of: (value: Value) => number): [Key, Value] | null {
  let found: [Key, Value] | null = null;
  for (const one of all) if (found === null || of(one[1]) > of(found[1])) found = one;
  return found;
}
