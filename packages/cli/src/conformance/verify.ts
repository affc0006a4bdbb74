/** `verify`: the whole verifier, from bytes to the report of protocol section 16. */
import { isKind, verify } from "@svc/core";
import { bytesMember, listMember, textMember } from "./members.ts";
import { type Operations, RequestFault } from "./operation.ts";

export const VERIFY_OPERATIONS: Operations = {
  verify: {
    required: ["bytes"],
    optional: ["kind", "trust", "links"],
    run(request, kernel) {
      const { trust } = request;
      // It is not passed on, because it would mean no policy at all. The report rejects any other value that is no
      // policy.
      if (trust === null) throw new RequestFault('"trust" must be a trust policy, or be left out to trust nobody.');
      const kind = Object.hasOwn(request, "kind") ? textMember(request, "kind") : undefined;
      if (kind !== undefined && !isKind(kind)) return { ok: false, code: "unsupported_object" };
      const report = verify(bytesMember(request, "bytes"), {
        kernel,
        ...(kind === undefined ? {} : { kind }),
        ...(trust === undefined ? {} : { trust }),
        ...(Object.hasOwn(request, "links") ? { links: listMember(request, "links") } : {}),
      });
      return { ok: report.ok, report };
    },
  },
};
