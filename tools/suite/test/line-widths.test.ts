/** Lines that are too wide are found where they could be broken. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { wideCode, wideMarkdown } from "../../line-widths.ts";

const words = "a text of many words ".repeat(8);
const word = "x".repeat(160);

test("a line of Markdown is too wide behind 160 columns, but for rows of tables and code", () => {
  const wide = `${"word ".repeat(33)}`;
  const text = ["x".repeat(160), wide, `| ${wide} |`, "```", wide, "```", wide].join("\n");
  assert.deepEqual(wideMarkdown(text), [2, 7]);
});

test("a line of code is too wide where a text on it has a blank", () => {
  const lines = [
    `const a = "${words}";`,
    `const b = \`${words}\${a}\`;`,
    `const c = "${word}";`,
    `const d = /${words}/;`,
    `// ${words}`,
    `import e from "${words}";`,
    `type F = "${words}";`,
    `const short = "a text";`,
    `test("${words}", () => {});`,
    "const sql = `",
    `SELECT ${words}`,
    "`;",
  ];
  assert.deepEqual(wideCode(lines.join("\n"), "a.ts"), [1, 2, 9]);
});
