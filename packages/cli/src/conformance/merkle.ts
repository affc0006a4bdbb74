/**
 * `merkle.root`, `merkle.inclusion` and `merkle.consistency`: RFC 6962 trees and RFC 9162 proofs (protocol sections 1,
 * 8 and 9).
 */
import { encodeHex } from "@svc/core";
import { hexListMember, hexMember, sizeMember } from "./members.ts";
import type { Operations } from "./operation.ts";

export const MERKLE_OPERATIONS: Operations = {
  "merkle.root": {
    required: ["leaves"],
    run(request, kernel) {
      const leafHashes = hexListMember(request, "leaves").map((data) => kernel.leafHash(data));
      // RFC 6962 gives a tree without leaves a hash; this protocol has no such tree, and nothing may name its root.
      if (leafHashes.length === 0) return { ok: false, code: "malformed" };
      const frontier = kernel.appendToFrontier(0, [], leafHashes);
      return { ok: true, root: encodeHex(kernel.rootFromFrontier(frontier)), frontier: frontier.map(encodeHex) };
    },
  },
  "merkle.inclusion": {
    required: ["leaf_hash", "leaf_index", "tree_size", "path", "root"],
    run(request, kernel) {
      const holds = kernel.verifyInclusion(
        hexMember(request, "leaf_hash"),
        sizeMember(request, "leaf_index"),
        sizeMember(request, "tree_size"),
        hexListMember(request, "path"),
        hexMember(request, "root"),
      );
      return holds ? { ok: true } : { ok: false, code: "inclusion_invalid" };
    },
  },
  "merkle.consistency": {
    required: ["size1", "root1", "size2", "root2", "path"],
    run(request, kernel) {
      const holds = kernel.verifyConsistency(
        sizeMember(request, "size1"),
        hexMember(request, "root1"),
        sizeMember(request, "size2"),
        hexMember(request, "root2"),
        hexListMember(request, "path"),
      );
      return holds ? { ok: true } : { ok: false, code: "consistency_invalid" };
    },
  },
};
