/** Assembles the pages: runs every example in order, and writes down the results, each on the page of its family. */
import { type Contract, credentialOf, ERRORS, type ErrorCode, errorsOf, errorText } from "@svc/api";
import { ERROR_EXAMPLES, ERROR_PREPARATION, ERRORS_SHOWN_BY_TESTS } from "./error-examples.ts";
import type { Example, RefusalExample, ShownByTest } from "./example.ts";
import { familiesOf, nameOf, pageOf, titleOf } from "./families.ts";
import { FIRST_RECEIPT, PREPARATION } from "./first-receipt.ts";
import { LIMIT_EXAMPLES, LIMITS_SHOWN_BY_TESTS } from "./limit-examples.ts";
import { limits } from "./limits.ts";
import { Origins } from "./origins.ts";
import { ROUTE_EXAMPLES } from "./route-examples.ts";
import { Shell, type Shown } from "./shell.ts";
import { shortened } from "./shortened.ts";
import { StandIns } from "./stand-ins.ts";

/** The data folders of the examples. */
export const DATA_FOLDERS = ["svc-data", "svc-data-strict"];

const LINE_CHARACTERS = 140;

/** The pages about the API: their texts by their names within docs/api. */
export type Pages = ReadonlyMap<string, string>;

/** The page with the beginning and the map of the others. */
const INDEX = "README.md";
const ERROR_PAGE = "errors.md";
const LIMIT_PAGE = "limits.md";

/**
 * Resolves to the pages in Markdown. Throws if an example does not show what it promises; call `missing` first.
 * `databases`: the URL of the PostgreSQL database of each of `DATA_FOLDERS`; without them, all have files.
 */
export async function apiPages(
  contracts: readonly Contract[],
  databases: Readonly<Record<string, string>> = {},
): Promise<Pages> {
  const shell = new Shell(databases);
  const standIns = new StandIns(new Date());
  const pages = new Map<string, string[]>();
  /** Returns the function that adds texts to a page. */
  const on =
    (page: string) =>
    (...texts: readonly string[]) =>
      pages.set(page, [...(pages.get(page) ?? []), ...texts]);
  const origins = new Origins(INDEX);
  const addShown = (
    page: string,
    { says, command, levels }: Pick<Example, "says" | "command" | "levels">,
    shown: Shown,
  ) => {
    const language = shown.status === null ? "json" : "http";
    on(page)(filled(says), fenced("sh", command), fenced(language, answer(shown, standIns, levels)));
  };
  const show = async (page: string, example: Example) => {
    const shown = await shell.run(example);
    origins.note(page, example);
    addShown(page, example, shown);
  };
  const refuse = async (page: string, { says, command, code }: RefusalExample) => {
    const shown = await shell.run({ says, command, status: ERRORS[code].status });
    origins.note(page, { command });
    const { detail } = shown.body as { readonly detail: { readonly code: string } };
    if (detail.code !== code) throw new Error(`${command}\nshows ${detail.code} in place of ${code}`);
    addShown(page, { says, command }, shown);
  };
  const point = (page: string, { comes, test }: ShownByTest) =>
    on(page)(filled(`${comes} [A test](../../${test}) shows it.`));

  try {
    on(INDEX)(OPENING, "## From nothing to a receipt");
    for (const example of PREPARATION) await show(INDEX, example);
    on(INDEX)("Three requests follow.");
    for (const example of FIRST_RECEIPT) await show(INDEX, example);
    const ofAll = commonErrors(contracts);
    const everyRoute = filled(`Every route may answer ${linked(ofAll)}.`);
    on(INDEX)("## Routes", tableOf(contracts), ROUTES, LISTS, KEYS, TIMES, everyRoute);
    for (const [name, routes] of familiesOf(contracts)) on(`${name}.md`)(...openingOf(name, routes));
    for (const one of contracts) {
      const page = pageOf(one);
      on(page)(...headOf(one));
      for (const example of ROUTE_EXAMPLES[nameOf(one)] ?? []) await show(page, example);
      on(page)(tailOf(one, ofAll));
    }
    on(ERROR_PAGE)("# The errors of the API", BACK, ERRORS_OPENING);
    for (const example of ERROR_PREPARATION) await show(ERROR_PAGE, example);
    for (const code of Object.keys(ERRORS) as ErrorCode[]) {
      const { summary, points } = errorText(code);
      const listed = points.map(({ title, text }) => filled(`- **${title}:** ${text}`, "  "));
      on(ERROR_PAGE)(`### \`${code}\``, filled(summary), listed.join("\n"));
      const example = ERROR_EXAMPLES[code];
      const test = ERRORS_SHOWN_BY_TESTS[code];
      if (example !== undefined) await refuse(ERROR_PAGE, { ...example, code });
      else if (test !== undefined) point(ERROR_PAGE, test);
    }
    on(LIMIT_PAGE)("# The limits of the API", BACK, LIMITS_OPENING);
    for (const [name, value] of Object.entries(limits).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      on(LIMIT_PAGE)(`### \`${name}\``);
      const example = LIMIT_EXAMPLES[name];
      const test = LIMITS_SHOWN_BY_TESTS[name];
      on(LIMIT_PAGE)(filled(`**${counted(value)}.** ${example?.bounds ?? test?.bounds ?? ""}`));
      if (example === undefined) {
        if (test !== undefined) point(LIMIT_PAGE, test);
      } else if (example.code === null) await show(LIMIT_PAGE, { ...example, status: 200 });
      else await refuse(LIMIT_PAGE, { ...example, code: example.code });
    }
  } finally {
    await shell.close();
  }
  const withOrigins = ([name, [title = "", opening = "", ...rest]]: readonly [string, readonly string[]]) => {
    const parts = [title, opening, ...origins.on(name).map((one) => filled(one)), ...rest];
    return [name, `${parts.join("\n\n")}\n`] as const;
  };
  return new Map([...pages].map(withOrigins));
}

function openingOf(name: string, routes: readonly Contract[]): string[] {
  const { title, says } = titleOf(name);
  const list = routes.map((one) => `- [${nameOf(one)}](#${anchorOf(nameOf(one))})`);
  return [`# ${title}`, filled(`${says} ${BACK}`), list.join("\n")];
}

function tableOf(contracts: readonly Contract[]): string {
  const names = [...familiesOf(contracts).map(([name]) => name), "errors", "limits"];
  const rows = names.map((name) => `| [${titleOf(name).title}](${name}.md) | ${titleOf(name).says} |`);
  return ["| page | what |", "|---|---|", ...rows].join("\n");
}

/** Returns the fragment under which a heading is found on a page. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
}

function headOf(one: Contract): string[] {
  return [`## ${nameOf(one)}`, filled([one.summary, one.description, credentialOf(one)].filter(Boolean).join(" "))];
}

function tailOf(one: Contract, ofAll: readonly ErrorCode[]): string {
  const { path, query, headers, idempotencyKey, body, answer } = one;
  const rows = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `\`${name}\` in the path`),
    ...Object.entries(query).map(([name, { description, required, schema }]) => {
      const preset = schema.default === undefined ? "" : `, ${String(schema.default)} where it is not there`;
      return `\`${name}\` in the query${required ? ", required" : ""}: ${description}${preset}`;
    }),
    ...(idempotencyKey === "none"
      ? []
      : [`\`Idempotency-Key\`, a header, ${idempotencyKey}: names the request, so that it takes effect once`]),
    ...Object.entries(headers).map(([name, { description }]) => `\`${name}\`, a header: ${description}`),
    ...(body === null ? [] : [`A body of JSON, at most ${counted(body.maxBytes)} bytes`]),
  ];
  const errors = [...errorsOf(one)].filter((code) => !ofAll.includes(code));
  return [
    ...rows.map((row) => filled(`- ${row.replaceAll(/\.$/g, "")}.`, "  ")),
    filled(`- Answer: ${answer.status}. ${answer.description}`, "  "),
    ...(errors.length === 0 ? [] : [filled(`- Errors: ${linked(errors)}.`, "  ")]),
  ].join("\n");
}

/** Returns the codes that every route can answer. */
function commonErrors(contracts: readonly Contract[]): ErrorCode[] {
  const sets = contracts.map(errorsOf);
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => sets.every((codes) => codes.has(code)));
}

function linked(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `[\`${code}\`](${ERROR_PAGE}#${code})`).join(", ");
}

function answer({ head, body }: Shown, standIns: StandIns, levels?: number): string {
  const text =
    typeof body === "string" ? standIns.in(body.trimEnd()) : JSON.stringify(shortened(body, standIns, levels), null, 2);
  return head.length === 0 ? text : `${standIns.in(head.join("\n"))}\n\n${text}`;
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function counted(value: number): string {
  return value.toLocaleString("en-US");
}

/** Breaks a paragraph into lines; `indent` begins every line but the first. */
function filled(text: string, indent = ""): string {
  const rows: string[] = [];
  let row = "";
  for (const word of text.split(" ")) {
    if (row !== "" && row.length + 1 + word.length > LINE_CHARACTERS) {
      rows.push(row);
      row = indent + word;
    } else row = row === "" ? word : `${row} ${word}`;
  }
  return [...rows, row].join("\n");
}

const OPENING = `# The API by example

${filled("Every command on these pages runs in the tests against a real server, and every answer is what the server gave: those of this page first, then those of the routes, of the errors and of the limits. `pnpm docs:api` writes the pages. The commands need `sh` and curl 7.82 or newer; `svc-server` stands for `npx -y pnpm@12 run svc-server`.")}

${filled("Of an answer a page shows the status and the headers that differ from route to route. JSON is indented and cut where it is long, at `…`. Ids, keys, hashes, signatures and times are stand-ins: equal ones were equal.")}`;
/** The way back to the beginning. */
const BACK = filled(`[The beginning](${INDEX}) says how the examples run, and what \`$URL\` and \`$API_KEY\` are.`);
const ROUTES = filled(
  "The schema of every body and answer is in `/openapi.json`. A parameter that a route does not have is " +
    "refused. Every answer has an `X-Request-Id`, and one to a request with an Idempotency-Key names that in a " +
    "header of the same name, refusals too: so a client sees that it is the answer to its request.",
);
const LISTS = filled(
  `A list is read page by page: \`next_cursor\` of one page is the \`cursor\` of the next, and null at the end ` +
    `of the list, and only there. A page can be short, and even empty, while \`next_cursor\` is not null: for each ` +
    `page the server looks at ${limits.MAX_EXAMINED_ROWS.toLocaleString("en")} rows at most, and filters may pass ` +
    `over all of them. Go on until it is null.`,
);
const KEYS = filled(
  "An Idempotency-Key counts for one system and one route, whichever of the system's keys sends it: programs " +
    "that share a system share its Idempotency-Keys, so each begins its keys with its own word. A key that is kept " +
    "to streams and uses one that another stream's request has used is refused " +
    "([`idempotency_conflict`](errors.md#idempotency_conflict)), and does not learn where. Once the payload of an " +
    "event has been erased, repetitions of its request differ by everything else, the payloads of its other events " +
    "among it.",
);
const TIMES = filled(
  "A time that a source gives (`occurred_at`) is RFC 3339 with an upper-case `T`, and `Z` or an offset from UTC; " +
    "lower-case `t` and `z`, which RFC 3339 lets an application refuse, and the leap second `:60` are refused " +
    "([protocol section 5](../protocol.md#5-names-times)): record the second before or after it.",
);
const ERRORS_OPENING = filled(
  'Every refusal is `{"detail": {"code", "message", ...}}`. Codes are stable, one cause each; the message says ' +
    "what was wrong, where, and what to do now. For programs the place is there too: `offset` (a byte of " +
    "the body), `path`, `index` (the event of a batch, counted from 0, where everything that is wrong is of one " +
    "event), or `problems` with a `path` and a `message` each, and an `index` where they are of an event of a " +
    "batch. Some of the cases below need more keys, and a second deployment with other settings.",
);
const LIMITS_OPENING = filled("Every limit, and a request that goes one beyond it.");
