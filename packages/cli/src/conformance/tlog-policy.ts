/** `tlog-policy.parse`: C2SP tlog-policy texts (docs/conformance.md). */
import { parseTlogPolicy } from "@svc/core";
import { textMember } from "./members.ts";
import type { Operations } from "./operation.ts";

export const TLOG_POLICY_OPERATIONS: Operations = {
  "tlog-policy.parse": {
    required: ["text"],
    run(request, kernel) {
      const parsed = parseTlogPolicy(kernel, textMember(request, "text"));
      return parsed.ok ? { ok: true } : { ok: false, line: parsed.line, code: parsed.code };
    },
  },
};
