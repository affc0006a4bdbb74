/**
 * Derives a table from a function that says sentences: which sentence it says when. The function stays the one place of
 * its words, and the table cannot differ from it. It is asked with a value for each dimension, such as the kind of an
 * object; a number that a sentence names is asked for by a marker, which reads as `{name}` there.
 */

/** Something that a function distinguishes: what it is in a report, and its values, as texts. */
export interface Dimension {
  readonly of: string;
  readonly values: readonly string[];
}

/** The values of dimensions by name. */
export type Dimensions = Readonly<Record<string, readonly string[]>>;
/** One value for each dimension. */
export type Values = Readonly<Record<string, string>>;
/** Values of some dimensions, all of which must be met. */
export type Condition = Readonly<Record<string, readonly string[]>>;

/** A sentence, and when it is said: if one of the conditions is met, or always. */
export interface Rule {
  readonly id: string;
  readonly text: string;
  readonly when: readonly Condition[];
}

/** So many values are tried for each value of the first dimension, which decides most. */
const TRIES = 250;
/** So many of the tries with a sentence are changed, to see which values it depends on. */
const CHANGED = 50;
/** So many words make an id, if they belong to one sentence alone. */
const ID_WORDS = 6;

/** Returns a number, of a kind that is more than 1, which a text shows as `{name}`. */
export function marker(name: string): number {
  return { valueOf: () => 7, toString: () => `{${name}}` } as unknown as number;
}

/**
 * Returns the sentences in an order that is that of each answer. Throws if there is no such order, or if the conditions
 * that it finds do not foretell what the function says.
 */
export function derive(dimensions: Dimensions, say: (values: Values) => readonly string[]): Rule[] {
  const tried = tries(dimensions).map((values) => ({ values, said: say(values) }));
  const texts = inOrder(tried.map(({ said }) => said));
  const rules = texts.map((text) => {
    const isSaid = (values: Values) => say(values).includes(text);
    const withIt = tried.filter(({ said }) => said.includes(text)).map(({ values }) => values);
    const step = Math.max(1, Math.floor(withIt.length / CHANGED));
    const samples = withIt.filter((_, index) => index % step === 0);
    const groups = Object.entries(dimensions).map(
      ([name, values]) =>
        [name, alike(values, (value) => samples.map((one) => isSaid({ ...one, [name]: value })))] as const,
    );
    // A dimension all of whose values are alike decides nothing.
    const relevant = groups.filter(([, alikes]) => alikes.length > 1);
    const [base = {}] = withIt;
    const met = product(relevant).filter((chosen) => isSaid({ ...base, ...firstOf(chosen) }));
    return { id: idOf(text, texts), text, when: conditionsOf(met, relevant) };
  });
  for (const { values, said } of tried) {
    const foretold = rules.filter(({ when }) => isMet(when, values)).map(({ text }) => text);
    if (foretold.join("\n") !== said.join("\n"))
      throw new Error(
        `no table says ${JSON.stringify(said)} for ${JSON.stringify(values)}: ${JSON.stringify(foretold)}`,
      );
  }
  return rules;
}

/** Says whether values meet one of the conditions; none at all are always met. */
export function isMet(when: readonly Condition[], values: Values): boolean {
  if (when.length === 0) return true;
  for (const condition of when) if (isMetBy(condition, values)) return true;
  return false;
}

function isMetBy(condition: Condition, values: Values): boolean {
  for (const name in condition) if (condition[name]?.includes(values[name] ?? "") !== true) return false;
  return true;
}

/** Returns values of all dimensions, the same ones each time. */
function tries(dimensions: Dimensions): Values[] {
  const [[first, values] = ["", []]] = Object.entries(dimensions);
  let state = 1;
  const random = (count: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  return values.flatMap((value) =>
    Array.from({ length: TRIES }, () => ({
      ...Object.fromEntries(
        Object.entries(dimensions).map(([name, all]) => [name, all[random(all.length)] ?? ""] as const),
      ),
      [first]: value,
    })),
  );
}

/** Values of a dimension that are alike: none of them is ever told from another one. */
type Alike = readonly string[];
/** By dimension, a choice among its groups of values. */
type Choice = Readonly<Record<string, Alike>>;
type Groups = readonly (readonly [name: string, groups: readonly Alike[]])[];

/** Returns the values in groups for which the answers are the same. */
function alike(values: readonly string[], answers: (value: string) => readonly boolean[]): Alike[] {
  return [...Map.groupBy(values, (value) => answers(value).join()).values()];
}

/** Returns every choice of a group for each dimension. */
function product(groups: Groups): Choice[] {
  return groups.reduce<Choice[]>(
    (all, [name, alikes]) => all.flatMap((choice) => alikes.map((values) => ({ ...choice, [name]: values }))),
    [{}],
  );
}

function firstOf(choice: Choice): Values {
  return Object.fromEntries(Object.entries(choice).map(([name, [value = ""]]) => [name, value]));
}

/** Returns conditions that exactly these choices meet. */
function conditionsOf(met: readonly Choice[], groups: Groups): Condition[] {
  const allowed = groups.map(([name, alikes]) => alikes.filter((values) => met.some((one) => one[name] === values)));
  if (allowed.reduce((size, alikes) => size * alikes.length, 1) === met.length) {
    const condition = groups.flatMap(([name, all], index) => {
      const alikes = allowed[index] ?? [];
      return alikes.length === all.length ? [] : [[name, alikes.flat()] as const];
    });
    return condition.length === 0 ? [] : [Object.fromEntries(condition)];
  }
  // The groups of the first dimension that leave the same conditions for the others stand together.
  const [[name] = [""], ...others] = groups;
  const sorted = Map.groupBy(allowed[0] ?? [], (values) =>
    JSON.stringify(
      conditionsOf(
        met.filter((one) => one[name] === values),
        others,
      ),
    ),
  );
  return [...sorted].flatMap(([conditions, alikes]) => {
    const left = JSON.parse(conditions) as Condition[];
    return (left.length === 0 ? [{}] : left).map((condition) => ({ [name]: alikes.flat(), ...condition }));
  });
}

/** Returns all texts in one order that keeps the order of each list. */
function inOrder(lists: readonly (readonly string[])[]): string[] {
  const before = new Map<string, Set<string>>();
  // Most answers are given many times.
  for (const list of new Map(lists.map((list) => [list.join("\n"), list])).values())
    for (const [index, text] of list.entries()) {
      const earlier = before.get(text) ?? new Set();
      before.set(text, earlier);
      if (index > 0) earlier.add(list[index - 1] ?? "");
    }
  const ordered = new Set<string>();
  while (ordered.size < before.size) {
    const next = [...before].find(
      ([text, earlier]) => !ordered.has(text) && [...earlier].every((one) => ordered.has(one)),
    );
    if (next === undefined) throw new Error("the sentences have no one order");
    ordered.add(next[0]);
  }
  return [...ordered];
}

/** Returns the first words of a text, as many as tell it from the others. */
function idOf(text: string, texts: readonly string[]): string {
  const slugs = (one: string) => one.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const words = slugs(text);
  for (let count = ID_WORDS; ; count++) {
    const id = words.slice(0, count).join("_");
    const same = texts.filter((other) => slugs(other).slice(0, count).join("_") === id);
    if (same.length === 1) return id;
    if (count > words.length) throw new Error(`two sentences have the same words: ${text}`);
  }
}
