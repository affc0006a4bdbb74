/**
 * The generated files of the Go SDK, by their paths: words of the report in the package report, what the examination
 * looks up in internal/tables, the shapes of objects in the package svc, what the client says and hears in client, and
 * the texts of `svc explain` in its command.
 */
import { tablesOf } from "../tables.ts";
import { clientCodesFile, clientWireFile } from "./client.ts";
import { explanationsFile } from "./explanations.ts";
import { limitsFile } from "./limits.ts";
import { reportFile } from "./report.ts";
import { schemasFile } from "./schema-table.ts";
import { errorsFile, sentencesFile } from "./sentences.ts";
import { formatsFile, kindsFile } from "./tables.ts";
import { wireFile } from "./wire.ts";
import { wordsFile } from "./words.ts";

const ROOT = "sdks/go";

/** Returns the texts by path. `spec`: those of spec/, by their paths. */
export function goFiles(spec: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const tables = tablesOf(spec);
  return new Map([
    [`${ROOT}/cmd/svc/explanations_gen.go`, explanationsFile(spec.get("spec/explanations.json") ?? "")],
    [`${ROOT}/report/words_gen.go`, reportFile(tables)],
    [`${ROOT}/wire_gen.go`, wireFile(tables)],
    [`${ROOT}/client/wire_gen.go`, clientWireFile(spec.get("spec/openapi.json") ?? "")],
    [`${ROOT}/client/codes_gen.go`, clientCodesFile(tables)],
    [`${ROOT}/internal/tables/errors_gen.go`, errorsFile(tables)],
    [`${ROOT}/internal/tables/formats_gen.go`, formatsFile(tables)],
    [`${ROOT}/internal/tables/kinds_gen.go`, kindsFile(tables)],
    [`${ROOT}/internal/tables/limits_gen.go`, limitsFile(tables)],
    [`${ROOT}/internal/tables/schemas_gen.go`, schemasFile(tables)],
    [`${ROOT}/internal/tables/sentences_gen.go`, sentencesFile(tables)],
    [`${ROOT}/internal/tables/words_gen.go`, wordsFile(tables)],
  ]);
}
