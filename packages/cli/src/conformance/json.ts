/** `json.canonical`: the strict parser and canonical bytes (protocol sections 1 and 2). */
import { encodeBase64 } from "@svc/core";
import { bytesMember } from "./members.ts";
import type { Operations } from "./operation.ts";

export const JSON_OPERATIONS: Operations = {
  "json.canonical": {
    required: ["bytes"],
    run(request, kernel) {
      const parsed = kernel.parseJson(bytesMember(request, "bytes"));
      if (!parsed.ok) return { ok: false, code: parsed.code, offset: parsed.offset };
      return { ok: true, canonical: encodeBase64(kernel.canonicalize(parsed.value)) };
    },
  },
};
