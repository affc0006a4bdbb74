/** `digest`: D(tag, x) of protocol section 1, from the JSON text of x. */
import { encodeHex } from "@svc/core";
import { bytesMember, textMember } from "./members.ts";
import { type Operations, RequestFault } from "./operation.ts";

/** Printable ASCII: a newline in a tag would make two inputs hash alike. */
const TAG = /^[\x21-\x7e]+$/;

export const DIGEST_OPERATIONS: Operations = {
  digest: {
    required: ["tag", "bytes"],
    run(request, kernel) {
      const tag = textMember(request, "tag");
      if (!TAG.test(tag))
        throw new RequestFault('"tag" must be printable ASCII without spaces, one character or more.');
      const parsed = kernel.parseJson(bytesMember(request, "bytes"));
      if (!parsed.ok) return { ok: false, code: parsed.code };
      return { ok: true, digest: encodeHex(kernel.taggedHash(tag, kernel.canonicalize(parsed.value))) };
    },
  },
};
