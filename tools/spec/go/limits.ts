/** Named constants: what decides verdicts or bounds reports, and the defaults of clients. */
import type { Tables, Value } from "../tables.ts";
import { type Constant, constants, exported, file } from "./source.ts";

/** Returns the file of limits. A table of limits has one constant for each of its names. */
export function limitsFile({ limits: { verifier, client } }: Tables): string {
  return file("tables", [], [constants(of(verifier, "")), constants(of(client, "Client"))]);
}

function of(limits: Readonly<Record<string, Value>>, prefix: string): readonly Constant[] {
  return Object.entries(limits).flatMap(([name, value]) => {
    const own = `${prefix}${exported(name)}`;
    if (typeof value === "number") return [constant(own, value, name)];
    if (value === null || typeof value !== "object") throw new Error(`the limit ${name} is neither number nor table`);
    if (Array.isArray(value)) return value.map((one) => constant(`${own}${one}`, one, `${name}: one of them`));
    return Object.entries(value).map(([key, one]) => constant(`${own}${exported(key)}`, one, `${name} of ${key}`));
  });
}

function constant(name: string, value: Value, about: string): Constant {
  if (typeof value !== "number") throw new Error(`the limit ${name} is no number`);
  return { name, value: String(value), about: `${name} is ${about.replaceAll("_", " ")}.` };
}
