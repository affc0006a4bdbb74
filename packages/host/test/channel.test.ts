/** The channel between parts of one process. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Channel, topic } from "@svc/host/channel";
import { perContext } from "@svc/host/per-context";

test("a message reaches those that have subscribed to its topic, in their order, and nobody else", () => {
  const [counted, named] = [topic<number>("same name"), topic<string>("same name")];
  const channel = new Channel();
  const heard: unknown[] = [];
  channel.publish(counted, 0);
  const end = channel.subscribe(counted, (number) => heard.push(["first", number]));
  channel.subscribe(counted, (number) => heard.push(["second", number]));
  channel.subscribe(named, (text) => heard.push(text));
  channel.publish(counted, 1);
  end();
  channel.publish(counted, 2);
  channel.publish(named, "a text");
  new Channel().publish(named, "elsewhere");
  assert.deepEqual(heard, [["first", 1], ["second", 1], ["second", 2], "a text"]);
});

test("a listener may end itself while it is called, and others are called all the same", () => {
  const once = topic<null>("once");
  const channel = new Channel();
  let heard = 0;
  const end = channel.subscribe(once, () => {
    heard += 1;
    end();
  });
  channel.subscribe(once, () => {
    heard += 10;
  });
  channel.publish(once, null);
  channel.publish(once, null);
  assert.equal(heard, 21);
});

test("what a listener throws, the publisher gets", () => {
  const spoiled = topic<null>("spoiled");
  const channel = new Channel();
  channel.subscribe(spoiled, () => {
    throw new Error("a listener's fault");
  });
  assert.throws(() => channel.publish(spoiled, null), /a listener's fault/);
});

test("a shared capability is made once for each context", () => {
  let made = 0;
  const numbers = perContext((_context: object) => ++made);
  const [one, other] = [{}, {}];
  assert.deepEqual([numbers(one), numbers(one), numbers(other), numbers(one)], [1, 1, 2, 1]);
});
