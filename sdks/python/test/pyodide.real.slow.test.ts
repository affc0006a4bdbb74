/**
 * The Python SDK in Pyodide, Python in WebAssembly: no package is installed and nothing compiled is there, so that the
 * reference kernel computes. A sample of the fixtures; `SVC_EACH_FIXTURE=1` takes all.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";

const EACH = Number(process.env.SVC_EACH_FIXTURE ?? 23);
const FOLDERS = { sdk: "../src", tests: "../tests", fixtures: "../../../fixtures" };

/** Verifies each fixture whose turn it is, and returns their names with the verdicts, and those with another report. */
const PROGRAM = `
import base64, json, sys
from pathlib import Path

sys.path[:0] = ["/sdk", "/tests"]
import svc
from compare import said

found, other = {}, []
for path in sorted(Path("/fixtures/cases").rglob("*.json"))[::EACH]:
    case = json.loads(path.read_text("utf-8"))
    data = case["input"].encode() if "input" in case else base64.b64decode(case["input_base64"])
    links = [json.dumps(link).encode() for link in case.get("links", ())]
    report = svc.verify(data, trust=case["trust"], links=links, kind=case["kind"])
    wanted = json.loads(Path(str(path).replace("/cases/", "/reports/")).read_text("utf-8"))
    found[path.name] = [report.verdict, report.verifier.kernel_sha256]
    if said(report.to_dict()) != said(wanted):
        other.append(path.name)
json.dumps([found, other])
`;

test("fixtures give their reports in Pyodide, by the reference kernel", async (t) => {
  const pyodide = await loadPyodide();
  for (const [name, folder] of Object.entries(FOLDERS)) {
    pyodide.FS.mkdirTree(`/${name}`);
    pyodide.FS.mount(
      pyodide.FS.filesystems.NODEFS,
      { root: fileURLToPath(new URL(folder, import.meta.url)) },
      `/${name}`,
    );
  }
  pyodide.globals.set("EACH", EACH);
  const [found, other] = JSON.parse(await pyodide.runPythonAsync(PROGRAM));
  const verdicts = Object.values<[string, string | null]>(found);
  t.diagnostic(`${verdicts.length} fixtures, ${pyodide.runPython("import sys; sys.version")}`);
  assert.deepEqual(other, []);
  assert.ok(verdicts.length > 10);
  assert.ok(verdicts.some(([verdict]) => verdict === "verified"));
  assert.ok(verdicts.every(([, kernel]) => kernel === null));
});
