/**
 * The forms of output: the commands that have each, the one that a call gets, and that nothing in any of them acts on a
 * terminal.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "commander";
import { ALL } from "../src/all-commands.ts";
import type { Formatter } from "../src/formats/formatter.ts";
import { FORMATTERS, type Format, formatOf } from "../src/formats/list.ts";
import { program } from "../src/program.ts";

const NAMES = Object.keys(FORMATTERS) as Format[];
const ASKED_FOR = NAMES.filter((name) => name !== "text");

function* commandsIn(command: Command): Generator<Command> {
  yield command;
  for (const child of command.commands) yield* commandsIn(child);
}

test("each form but text has its option, and a call gets the form that it names", () => {
  assert.equal(formatOf({}), "text");
  const commands = [...commandsIn(program(ALL))];
  for (const name of ASKED_FOR) {
    assert.equal(formatOf({ [name]: true }), name);
    const offering = commands.filter(({ options }) => options.some(({ long }) => long === `--${name}`));
    assert.ok(offering.length > 0, `no command has --${name}`);
    for (const command of offering) {
      const values = command.options.find(({ long }) => long === `--${name}`);
      assert.equal(values?.isBoolean(), true, `--${name} of ${command.name()} takes a value`);
    }
  }
});

test("no command has two forms that a call could name together", () => {
  for (const command of commandsIn(program(ALL))) {
    const forms = command.options.filter((option) => ASKED_FOR.some((name) => option.long === `--${name}`));
    const conflicts = forms.map((option) => (option as typeof option & { conflictsWith: string[] }).conflictsWith);
    forms.forEach((one, index) => {
      for (const other of forms.slice(index + 1))
        assert.ok(
          conflicts[index]?.includes(other.attributeName()) ||
            conflicts[forms.indexOf(other)]?.includes(one.attributeName()),
          `${command.name()}: ${one.long} and ${other.long}`,
        );
    });
  }
});

test("one answer has one line at least but where nothing is to be printed, and none can act on a terminal", () => {
  const value = { text: "\u001b[2J\n\u009b\u202e" };
  const page = () => ["a page"];
  for (const name of NAMES) {
    const { answer, line, end }: Formatter = FORMATTERS[name];
    const lines = [...answer({ value, page }), ...(line === null ? [] : [line(value)]), ...end(page)];
    assert.equal(lines.length > 0, name !== "quiet", name);
    for (const one of lines) assert.doesNotMatch(one, /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/, name);
  }
});
