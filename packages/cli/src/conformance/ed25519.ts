/** `ed25519.verify` and `ed25519.batch`: signatures by the rules of protocol section 3. */
import type { Json, JsonObject, SignatureItem } from "@svc/core";
import { closedObject, hexMember, listMember } from "./members.ts";
import type { Operations } from "./operation.ts";

const SIGNATURE_MEMBERS = ["public_key", "message", "signature"] as const;

export const ED25519_OPERATIONS: Operations = {
  "ed25519.verify": {
    required: SIGNATURE_MEMBERS,
    run(request, kernel) {
      return { ok: kernel.verifyEd25519([signatureItem(request)])[0] === true };
    },
  },
  "ed25519.batch": {
    required: ["items"],
    run(request, kernel) {
      const items = listMember(request, "items").map(batchItem);
      const verdicts = kernel.verifyEd25519(items);
      const bad = items.flatMap((_, index) => (verdicts[index] === true ? [] : [index]));
      return { ok: bad.length === 0, bad };
    },
  },
};

function batchItem(item: Json, index: number): SignatureItem {
  return signatureItem(closedObject(item, `items[${index}]`, SIGNATURE_MEMBERS));
}

/** A key or signature of another length than 32 or 64 bytes is one that does not verify. */
function signatureItem(object: JsonObject): SignatureItem {
  return {
    publicKey: hexMember(object, "public_key"),
    message: hexMember(object, "message"),
    signature: hexMember(object, "signature"),
  };
}
