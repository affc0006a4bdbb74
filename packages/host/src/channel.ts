/**
 * What parts of a program tell each other in process: who publishes does not know who listens. Listeners are called at
 * once, in the order in which they subscribed, and nothing is kept for those that subscribe later. It does NOT reach
 * other processes: what must arrive there stands in the database.
 */

/** A kind of message. Each is one value, exported where the messages come from; it carries their type. */
export interface Topic<Message> {
  readonly name: string;
  /** Has no value: it carries the type of the topic's messages. */
  readonly message?: Message;
}

/** Makes a topic. `name` is for people alone: topics are told apart by identity. */
export function topic<Message>(name: string): Topic<Message> {
  return { name };
}

type Listener = (message: never) => void;

export class Channel {
  readonly #listeners = new Map<Topic<unknown>, Listener[]>();

  /** Calls `listener` with each message that is published from now on. Returns what ends that. */
  subscribe<Message>(topic: Topic<Message>, listener: (message: Message) => void): () => void {
    const added: Listener = listener;
    this.#listeners.set(topic, [...(this.#listeners.get(topic) ?? []), added]);
    return () => {
      const left = (this.#listeners.get(topic) ?? []).filter((other) => other !== added);
      this.#listeners.set(topic, left);
    };
  }

  /** Calls every listener of the topic. What a listener throws, the publisher gets. */
  publish<Message>(topic: Topic<Message>, message: Message): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener(message as never);
  }
}
