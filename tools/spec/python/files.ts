/**
 * The generated part of the Python SDK: the tables of spec/ as Python modules. It reads the texts of spec/ and nothing
 * else, so that whatever is in Python is there too.
 */

import { byEntry, literal, type Value } from "./literal.ts";
import { errorsModule, serviceModule } from "./service.ts";
import { pythonTypes } from "./types.ts";

const FOLDER = "sdks/python/src/svc/_generated";
const HEAD = "# Written by `pnpm spec` from spec/. Do not edit it.\n";

interface Table {
  /** The docstring of the module: it says what is in it. */
  readonly about: string;
  /** By constant: the value, which may use members of the table. */
  readonly constants: Readonly<Record<string, Value>>;
  /** Lines behind the constants. */
  readonly more?: string;
  /** Whether an entry is one line: of the largest tables, which people read in spec/. */
  readonly isDense?: boolean;
}

/** Returns the texts by path. `spec`: those of spec/, by their paths. */
export function pythonFiles(spec: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const read = (name: string) => JSON.parse(spec.get(`spec/${name}.json`) ?? "null") as Record<string, Value>;
  const { codes, own_actions } = read("codes") as { codes: Record<string, Value>; own_actions: Value };
  const { order, of_no_kind, by_list, with_required_assurance } = read("checks") as Record<string, Value>;
  const { kinds } = read("kinds") as { kinds: Record<string, Record<string, Value>> };
  const { formats, white_space } = read("formats") as {
    formats: Record<string, Record<string, Value>>;
    white_space: Value;
  };
  const { verifier, client } = read("limits") as Record<string, Record<string, Value>>;
  const { dimensions: _, ...sentences } = read("sentences") as Record<string, Value>;
  const {
    protocol: _p,
    version: _v,
    dimensions: _d,
    placeholders: _h,
    ...words
  } = read("words") as Record<string, Value>;
  const { problems, errors, checks, steps, verdicts } = read("explanations") as Record<
    string,
    Record<string, Explanation>
  >;
  const schemaTexts = [...spec]
    .filter(([path]) => path.startsWith("spec/schemas/"))
    .map(([path, json]) => [path.slice("spec/schemas/".length), json] as const);
  const schemas = Object.fromEntries(schemaTexts.map(([name, json]) => [name, JSON.parse(json) as Value]));
  const tables: Readonly<Record<string, Table>> = {
    codes: {
      about: "Every problem code: the check that finds it first, its meaning, and the next step of a person.",
      constants: {
        CODES: pick(codes as Record<string, Record<string, Value>>, ["check", "meaning", "action", "convicts"]),
        OWN_ACTIONS: own_actions ?? {},
      },
      more: `Code = Literal[\n${names(Object.keys(codes))}]\n`,
    },
    checks: {
      about: "Every check in the order of reports, and the checks of each kind.",
      constants: {
        ORDER: order ?? [],
        OF_NO_KIND: of_no_kind ?? [],
        BY_LIST: by_list ?? {},
        WITH_REQUIRED_ASSURANCE: with_required_assurance ?? "",
      },
      more: `CheckId = Literal[\n${names(order as string[])}]\n`,
    },
    kinds: {
      about: "Every kind of object in the order of the protocol.",
      constants: { KINDS: kinds },
      more: `Kind = Literal[\n${names(Object.keys(kinds))}]\n`,
    },
    formats: {
      about: "The patterns of texts, each for a whole text, and the ranges of the property White_Space.",
      constants: {
        FORMATS: pick(formats, ["pattern", "max_characters", "rule", "description", "is_format"]),
        WHITE_SPACE: white_space ?? [],
      },
    },
    limits: {
      about: "Named constants: those that decide verdicts or bound reports, and the defaults of clients.",
      constants: { VERIFIER: verifier ?? {}, CLIENT: client ?? {} },
    },
    sentences: {
      about: "The sentences of `proves` and `does_not_prove`, with the conditions under which a report has them.",
      constants: { PROVES: sentences.proves ?? [], DOES_NOT_PROVE: sentences.does_not_prove ?? [] },
    },
    words: {
      about: "What a person reads of a report: the tables and sentences of the terminal.",
      constants: Object.fromEntries(Object.entries(words).map(([name, value]) => [name.toUpperCase(), value])),
      isDense: true,
    },
    explanations: {
      about: "The answers of `svc explain`: by name, the words and the facts.",
      // The other facts are those of codes.py and errors.py.
      constants: {
        PROBLEMS: withFacts(problems, ["verdicts", "section"]),
        ERRORS: withFacts(errors, []),
        CHECKS: checks ?? {},
        STEPS: steps ?? {},
        VERDICTS: verdicts ?? {},
      },
      isDense: true,
    },
  };
  return new Map([
    ...Object.entries(tables).map(([name, table]) => [`${FOLDER}/${name}.py`, moduleOf(table)] as const),
    [`${FOLDER}/schemas.py`, schemasModule(schemaTexts)] as const,
    [`${FOLDER}/errors.py`, errorsModule(spec.get("spec/errors.json") ?? "{}")] as const,
    [`${FOLDER}/service.py`, serviceModule(spec.get("spec/openapi.json") ?? "{}")] as const,
    [`${FOLDER}/types.py`, pythonTypes(schemas as Parameters<typeof pythonTypes>[0])] as const,
    [
      `${FOLDER}/__init__.py`,
      `"""What \`pnpm spec\` writes from spec/, and the compiled kernel. Do not edit it."""\n`,
    ] as const,
  ]);
}

function moduleOf({ about, constants, more, isDense = false }: Table): string {
  const written = isDense ? byEntry : literal;
  const isTyped = more !== undefined;
  const lines = Object.entries(constants).map(([name, value]) => `${name}: ${typeOf(value)} = ${written(value)}\n`);
  return [
    `"""${about}"""\n\n${HEAD}\nfrom __future__ import annotations\n\n`,
    `from typing import Any${isTyped ? ", Literal" : ""}\n\n`,
    lines.join("\n"),
    isTyped ? `\n${more}` : "",
  ].join("");
}

/**
 * Returns the schemas as texts, one a line: Python loads a text in no time, and parses the few that a process needs.
 * People read them in spec/schemas.
 */
function schemasModule(texts: readonly (readonly [name: string, json: string])[]): string {
  const entries = texts.map(([name, json]) => {
    // Which dialect and whose schema it is, says the file itself.
    const { $schema: _dialect, $id: _id, ...schema } = JSON.parse(json);
    return `    ${JSON.stringify(name)}: r'''${JSON.stringify(schema)}''',\n`;
  });
  return [
    `"""The JSON Schema of each object as text, by its file's name."""\n\n${HEAD}\n`,
    `from __future__ import annotations\n\nSCHEMAS: dict[str, str] = {\n${entries.join("")}}\n`,
  ].join("");
}

function typeOf(value: Value): string {
  if (typeof value === "string") return "str";
  return Array.isArray(value) ? "list[Any]" : "dict[str, Any]";
}

function names(of: readonly string[]): string {
  return of.map((name) => `    ${JSON.stringify(name)},\n`).join("");
}

/** Returns the entries with these members only, as far as they have them. */
function pick(entries: Readonly<Record<string, Readonly<Record<string, Value>>>>, members: readonly string[]): Value {
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [
      name,
      Object.fromEntries(Object.entries(entry).filter(([member]) => members.includes(member))),
    ]),
  );
}

/** The words about a name, and the facts of which they are made. */
type Explanation = { readonly facts: Readonly<Record<string, Value>> } & Readonly<Record<string, Value>>;

/** Returns explanations with these of their facts. */
function withFacts(explanations: Readonly<Record<string, Explanation>> = {}, names: readonly string[]) {
  const kept = ({ facts, ...words }: Explanation) => ({
    ...words,
    ...(names.length === 0 ? {} : { facts: Object.fromEntries(names.map((name) => [name, facts[name] ?? null])) }),
  });
  return Object.fromEntries(Object.entries(explanations).map(([name, one]) => [name, kept(one)]));
}
