/**
 * The tables of spec/ as values, read from the texts of its files and from nothing else: what a writer of an SDK's
 * generated files may use, so that whatever is in a language is in spec/ too.
 */

/** A value that a table holds. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value };

/** A JSON Schema of spec/schemas/, or a part of one. */
export type Schema = { readonly [keyword: string]: Value };

/** Names of dimensions, each with the values of which one must be there. */
export type Condition = Readonly<Record<string, readonly string[]>>;

/** A sentence that a report has where one of its conditions is met. */
export interface Sentence {
  readonly id: string;
  readonly text: string;
  readonly when: readonly Condition[];
}

/** The tables, by the names of their files and members. */
export interface Tables {
  readonly protocol: string;
  readonly version: string;
  readonly codes: Readonly<
    Record<
      string,
      {
        readonly check: string;
        readonly meaning: string;
        readonly action: string;
        readonly convicts: boolean;
        readonly only_vaults: boolean;
      }
    >
  >;
  readonly ownActions: Readonly<Record<string, string>>;
  readonly checks: {
    readonly order: readonly string[];
    readonly of_no_kind: readonly string[];
    readonly by_list: Readonly<Record<string, readonly string[]>>;
    readonly with_required_assurance: string;
  };
  readonly kinds: Readonly<
    Record<
      string,
      {
        readonly noun: string;
        readonly is_json: boolean;
        readonly schemas: readonly string[];
        readonly check_lists: readonly string[];
        readonly marks: readonly (readonly string[])[];
        readonly max_bytes: number | null;
      }
    >
  >;
  readonly formats: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly is_format: boolean;
        readonly pattern: string;
        readonly max_characters?: number;
        readonly rule?: { readonly id: string };
      }
    >
  >;
  readonly whiteSpace: readonly (readonly [number, number])[];
  readonly limits: Readonly<Record<"verifier" | "service" | "client", Readonly<Record<string, Value>>>>;
  readonly dimensions: Readonly<Record<string, { readonly values: readonly string[] }>>;
  readonly proves: readonly Sentence[];
  readonly doesNotProve: readonly Sentence[];
  readonly words: Readonly<Record<string, Value>>;
  readonly errors: Readonly<
    Record<
      string,
      { readonly status: number; readonly retryable: boolean; readonly meaning: string; readonly action: string }
    >
  >;
  /** By the name of the file, without its ending. */
  readonly schemas: Readonly<Record<string, Schema>>;
}

const SCHEMAS = "spec/schemas/";

/** Reads the tables. `spec`: the texts of spec/, by their paths. */
export function tablesOf(spec: ReadonlyMap<string, string>): Tables {
  const read = (name: string) => JSON.parse(spec.get(`spec/${name}.json`) ?? "null");
  const { codes, own_actions: ownActions, protocol, version } = read("codes");
  const { formats, white_space: whiteSpace } = read("formats");
  const { dimensions, proves, does_not_prove: doesNotProve } = read("sentences");
  return {
    protocol,
    version,
    codes,
    ownActions,
    checks: read("checks"),
    kinds: read("kinds").kinds,
    formats,
    whiteSpace,
    limits: read("limits"),
    dimensions,
    proves,
    doesNotProve,
    words: read("words"),
    errors: read("errors").errors,
    schemas: Object.fromEntries(
      [...spec]
        .filter(([path]) => path.startsWith(SCHEMAS))
        .map(([path, text]) => [path.slice(SCHEMAS.length, -".json".length), JSON.parse(text)]),
    ),
  };
}
