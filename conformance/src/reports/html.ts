/** A result as one page that needs nothing else: no script, no style or image from elsewhere. */
import { holds, type Result } from "../run/result.ts";
import { escapeMarkup as escaped } from "./markup.ts";

const STYLE = `:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse } th, td { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #8888 }
code, pre { font: 14px/1.4 ui-monospace, monospace; overflow-wrap: anywhere } dd { margin: 0 0 .4rem 1.5rem }`;

/** Returns the page. */
export function htmlOf(result: Result): string {
  const own = result.implementation;
  const name = own === null ? "A program that states no version" : `${own.implementation} ${own.version}`;
  const facts: (readonly [string, string])[] = [
    ["Command", result.command],
    ...(own === null
      ? []
      : ([
          ["Protocol", `${own.protocol}`],
          ["Kernel", own.kernel_sha256 ?? "none compiled"],
        ] as const)),
    ["Case set", `${result.case_set.sha256}, ${result.case_set.cases} cases`],
    ["Runner", result.runner],
    ["Started", `${result.started_at}, ${result.seconds.toFixed(1)} seconds`],
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Conformance of ${escaped(name)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escaped(name)}: ${holds(result) ? "passed" : "failed"}</h1>
<dl>${facts.map(([term, fact]) => `<dt>${term}</dt><dd><code>${escaped(fact)}</code></dd>`).join("\n")}</dl>
<h2>Levels</h2>
<table>
<thead><tr><th scope="col">Level</th><th scope="col">Passed</th><th scope="col">Failed</th><th scope="col">Unsupported</th><th scope="col">Cases</th></tr></thead>
<tbody>
${result.levels.map(levelRow).join("\n")}
</tbody>
</table>
${section("Failures", result.failures.map(failureItem))}
${section("Expected failures that passed", result.unexpected_passes.map(nameItem))}
${section("Unsupported", result.unsupported.map(nameItem))}
</body>
</html>
`;
}

function levelRow({ level, passed, failed, unsupported, cases }: Result["levels"][number]): string {
  const cells = [passed, failed, unsupported, cases].map((count) => `<td>${count}</td>`).join("");
  return `<tr><th scope="row">${level}</th>${cells}</tr>`;
}

function failureItem({ name, differences, expected }: Result["failures"][number]): string {
  const parts = differences.map(
    ({ member, wanted, given }) =>
      `<dt><code>${escaped(member || "the answer")}</code></dt>` +
      `<dd>wanted <code>${escaped(wanted)}</code></dd><dd>given <code>${escaped(given)}</code></dd>`,
  );
  return `<h3><code>${escaped(name)}</code>${expected ? " (expected)" : ""}</h3>\n<dl>${parts.join("\n")}</dl>`;
}

function nameItem(name: string): string {
  return `<div><code>${escaped(name)}</code></div>`;
}

function section(title: string, items: readonly string[]): string {
  return items.length === 0 ? "" : `<h2>${title}</h2>\n${items.join("\n")}`;
}
