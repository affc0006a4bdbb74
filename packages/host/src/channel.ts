/**
 * A channel on which parts of a program tell each other things in process: a publisher does not know its listeners.
 * Listeners are called at once, in the order of subscription, and nothing is kept for later ones. It does NOT reach
 * other processes: news for them belongs in the database.
 */

/**
 * A kind of message. Each topic is one value, exported by the publishing part, and carries the type of its messages.
 */
export interface Topic<Message> {
  readonly name: string;
  /** Never set: it carries the type of the topic's messages. */
  readonly message?: Message;
}

/** Returns a new topic. Topics are compared by identity; their names are for people, and for a message that
 * crosses to another thread. */
export function topic<Message>(name: string): Topic<Message> {
  return { name };
}

type Listener = (message: never) => void;

/** The channel of one program: listeners by topic. */
export class Channel {
  readonly #listeners = new Map<Topic<unknown>, Listener[]>();

  /** Calls `listener` with each message from now on. Returns a function that ends the subscription. */
  subscribe<Message>(topic: Topic<Message>, listener: (message: Message) => void): () => void {
    const added: Listener = listener;
    this.#listeners.set(topic, [...(this.#listeners.get(topic) ?? []), added]);
    return () => {
      const left = (this.#listeners.get(topic) ?? []).filter((other) => other !== added);
      this.#listeners.set(topic, left);
    };
  }

  /** Publishes each message of these topics on another channel too, from now on. */
  forward(topics: readonly Topic<unknown>[], to: Channel): void {
    for (const topic of topics) this.subscribe(topic, (message) => to.publish(topic, message));
  }

  /**
   * Calls every listener of the topic. Throws the error of a listener; the listeners behind it then miss the message.
   */
  publish<Message>(topic: Topic<Message>, message: Message): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener(message as never);
  }
}
