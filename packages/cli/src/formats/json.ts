/** `--json`: each answer as JSON on one line. */
import type { Json } from "@svc/core";
import { escapeJson } from "@svc/report";
import type { Formatter } from "./formatter.ts";

export const JSON_LINES: Formatter = {
  help: {
    report: "print the report as JSON, whole, on one line",
    server_report: "print the server's report as JSON, on one line",
    trust_file: "print one JSON object: the file, the policy, and your names of keys",
    key_forms: "print one JSON object",
    rates: "print one JSON object",
    explanation: "print one JSON object",
  },
  answer: ({ value }) => [jsonLine(value)],
  line: jsonLine,
  end: () => [],
  remarks: "stderr",
};

/** Returns JSON on one line in which nothing can act on a terminal. */
export function jsonLine(value: Json): string {
  return escapeJson(JSON.stringify(value));
}
