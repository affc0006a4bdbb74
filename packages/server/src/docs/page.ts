/** The page of routes. */
import { type Contract, credentialOf, ERRORS, errorsOf, operationId } from "@svc/api";
import { VERSION } from "@svc/core";
import { escaped, type StillPage, stillPage } from "./still-page.ts";

type Document = Readonly<Record<string, unknown>>;

const STYLE = `:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{margin-top:3rem}h3{font-size:1rem;margin:2rem 0 .25rem;padding-top:1rem;border-top:1px solid #8886}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}
pre{overflow-x:auto;padding:.75rem;border:1px solid #8886;border-radius:4px}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0}
.method{font-weight:bold}.path{overflow-wrap:anywhere}`;

/** Returns the page. `document`: the OpenAPI document of these contracts. */
export function docsPage(document: Document, contracts: readonly Contract[]): StillPage {
  const chapters = Map.groupBy(contracts, ({ chapter }) => chapter);
  const tags = document.tags as readonly { readonly name: Contract["chapter"]; readonly description: string }[];
  const body = tags.map(({ name, description }) => {
    const own = chapters.get(name) ?? [];
    return `<h2 id="${name}">${escaped(description)}</h2>\n${own.map((one) => section(one, document)).join("\n")}`;
  });
  const contents = contracts.map(
    (one) =>
      `<li><a href="#${operationId(one)}"><code>${one.method} ${escaped(one.path)}</code></a> ` +
      `${prose(one.summary)}</li>`,
  );
  return stillPage({
    title: `svc-server ${VERSION}: routes`,
    style: STYLE,
    body: `<h1>svc-server ${VERSION}</h1>
<p>Records events as evidence that anyone can verify, offline. The same as a document for programs: <a href="/openapi.json">/openapi.json</a>. To check a file: <a href="/verify.html">/verify.html</a>.</p>
<p>Every refusal is <code>{"detail": {"code", "message", ...}}</code>. Codes are stable: one cause, one code. The place is beside it
as <code>offset</code> (a byte of the body), <code>path</code>, <code>index</code> (an event of a batch) or <code>problems</code>.</p>
<ul>
${contents.join("\n")}
</ul>
${body.join("\n")}`,
  });
}

function section(one: Contract, document: Document): string {
  const operation = operationOf(one, document);
  const parameters = (operation.parameters as readonly Parameter[]).map(
    ({ name, in: place, required, description }) =>
      `<tr><td><code>${escaped(name)}</code></td><td>${place}${required ? ", required" : ""}</td><td>${prose(description)}</td></tr>`,
  );
  const codes = [...errorsOf(one)].map(
    (code) =>
      `<tr><td>${ERRORS[code].status}</td><td><code>${code}</code></td><td>${escaped(ERRORS[code].meaning)}</td></tr>`,
  );
  return `<h3 id="${operationId(one)}"><span class="method">${one.method}</span> <code class="path">${escaped(one.path)}</code></h3>
<p>${prose([one.summary, one.description].filter(Boolean).join(" "))}</p>
<p>${prose(credentialOf(one))}</p>
${parameters.length === 0 ? "" : `<table><tr><th>parameter</th><th>in</th><th>meaning</th></tr>\n${parameters.join("\n")}\n</table>`}
${one.body === null ? "" : `<p>Body, at most ${one.body.maxBytes} bytes:</p>\n${schemaText(operation.requestBody)}`}
<details><summary>Answer ${one.answer.status}: ${escaped(one.answer.description)}</summary>
${schemaText((operation.responses as Document)[one.answer.status])}</details>
<details><summary>Refusals</summary>
<table><tr><th>status</th><th>code</th><th>meaning</th></tr>
${codes.join("\n")}
</table></details>`;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description: string;
}

function operationOf({ path, method }: Contract, document: Document): Document {
  const paths = document.paths as Readonly<Record<string, Document>>;
  return paths[path]?.[method.toLowerCase()] as Document;
}

function schemaText(part: unknown): string {
  const { content = {} } = part as { readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> };
  const [{ schema } = {}] = Object.values(content);
  return `<pre>${escaped(JSON.stringify(schema, null, 2))}</pre>`;
}

/** Returns text with code between backticks as HTML. */
function prose(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}
