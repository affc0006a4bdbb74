/** Lies about whom to trust: the verifier's own policy is taken for another one. */
import { type Json, type JsonObject, parseBase64 } from "@svc/core";
import { isObject } from "../../packages/cli/src/conformance/members.ts";
import { Cosignatures } from "../../packages/core/src/objects/cosignatures.ts";
import { type Case, honest, isOf, type Lie, mistaking, reportOf } from "./lie.ts";

const trustsHints: Lie = {
  name: "trusts-hints",
  does: "pins every key that the object itself names",
  concerns: (one) => isOf(one, "verify") && reportOf(one.answer)?.ok === false && hintsIn(one.request).length > 0,
  tell: (kernel) =>
    mistaking(kernel, (request) => withSigners(request, (signers) => [...signers, ...hintsIn(request)])),
};

const ignoresEnds: Lie = {
  name: "ignores-valid-to",
  does: "trusts a pinned key beyond its end",
  concerns: (one) => signersOf(one.request).some((signer) => isObject(signer) && Object.hasOwn(signer, "valid_to")),
  tell: (kernel) => mistaking(kernel, (request) => withSigners(request, (signers) => signers.map(withoutEnd))),
};

const countsTwice: Lie = {
  name: "counts-a-witness-twice",
  does: "counts each cosignature by a pinned witness, also the second one by the same witness",
  concerns: ({ answer }) => isWitnessed(answer),
  tell(kernel) {
    const { get } = Object.getOwnPropertyDescriptor(Cosignatures.prototype, "pinnedOnce") ?? {};
    if (get === undefined) throw new Error("the cosignatures of core no longer say which witnesses are one");
    Object.defineProperty(Cosignatures.prototype, "pinnedOnce", {
      get(this: Cosignatures) {
        return (get.call(this) as Cosignatures["pinnedOnce"]).flat().map((cosigner) => [cosigner]);
      },
    });
    return honest(kernel);
  },
};

/** The malicious verifiers that trust other keys than the policy says. */
export const TRUSTS_WRONGLY: readonly Lie[] = [trustsHints, countsTwice, ignoresEnds];

function signersOf({ trust }: JsonObject): readonly Json[] {
  return isObject(trust) && Array.isArray(trust.signers) ? trust.signers : [];
}

/** Returns a request with other signers; one without a policy of the right form stays as it is. */
function withSigners(request: JsonObject, change: (signers: readonly Json[]) => readonly Json[]): JsonObject {
  const { trust } = request;
  if (!isObject(trust) || !Array.isArray(trust.signers)) return request;
  return { ...request, trust: { ...trust, signers: change(trust.signers) } };
}

function withoutEnd(signer: Json): Json {
  if (!isObject(signer)) return signer;
  const { valid_to: _, ...endless } = signer;
  return endless;
}

/** Returns every key hint in the object of a request. */
function hintsIn({ bytes }: JsonObject): JsonObject[] {
  const found: JsonObject[] = [];
  const text = new TextDecoder().decode(parseBase64(String(bytes)) ?? undefined);
  const visit = (_: string, value: Json) => {
    if (isObject(value) && Object.keys(value).sort().join() === "kid,public_key_hex") found.push(value);
    return value;
  };
  try {
    JSON.parse(text, visit);
  } catch {
    // An object that is no JSON names no key.
  }
  return found;
}

function isWitnessed(answer: Case["answer"]): boolean {
  const assurance = isObject(answer.report) ? answer.report.assurance : undefined;
  const witnessed = isObject(assurance) ? assurance.witnessed : undefined;
  return isObject(witnessed) && witnessed.pinned !== 0;
}
