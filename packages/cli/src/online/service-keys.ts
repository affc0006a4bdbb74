/**
 * The keys that a running service states (`GET /v2/keys`). The answer is the service's word. It is checked that each
 * key fits its identifier; whose key it is cannot be checked.
 */
import { formats, type Json, type Kernel, kidOf } from "@svc/core";
import type { ServiceKey, ServiceKeys } from "@svc/sdk";
import { EXIT, Refusal } from "../exit.ts";
import { reasonOf } from "./no-answer.ts";

/** Far more time than a service needs, and far more room than its keys take. */
const LIMITS = { timeoutMs: 15_000, maxBytes: 1024 ** 2 };

/**
 * Asks the service at a URL for its keys. Refuses a bad URL (64), a missing answer (66), and an answer that is no list
 * of keys (66).
 */
export async function askServiceKeys(kernel: Kernel, url: string): Promise<ServiceKeys> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || new URL(url).username !== "")
    // The address is not repeated: a password may be in it.
    throw new Refusal(EXIT.usage, "This is no address of a service.", "Give one as https://evidence.example.");
  const { getJson } = await import("./exchange.ts");
  const answer = await getJson(`${url.replace(/\/+$/, "")}/v2/keys`, LIMITS);
  if (!answer.ok) throw silent(url, ...reasonOf(answer, LIMITS));
  if (answer.status !== 200) throw silent(url, `it answered ${answer.status}.`, "Check the address.");
  const parsed = kernel.parseJson(answer.bytes);
  if (!parsed.ok) throw silent(url, "it answered with something else than JSON.", "Check the address.");
  if (isKeys(kernel, parsed.value)) return parsed.value;
  throw silent(url, "its answer is not an origin and keys with their identifiers.", "Check the address.");
}

function silent(url: string, reason: string, action: string): Refusal {
  return new Refusal(EXIT.input, `"${url}" did not tell its keys: ${reason}`, action);
}

function isKeys(kernel: Kernel, answer: Json): answer is Json & ServiceKeys {
  const { origin, keys } = (answer ?? {}) as Partial<ServiceKeys>;
  const isOrigin = typeof origin === "string" && formats.origin?.(origin) === true;
  return isOrigin && Array.isArray(keys) && keys.every((key) => isOwn(kernel, key));
}

function isOwn(kernel: Kernel, key: ServiceKey): boolean {
  const { kid, public_key_hex, status } = (key ?? {}) as Partial<ServiceKey>;
  if (typeof public_key_hex !== "string" || !/^[0-9a-f]{64}$/.test(public_key_hex)) return false;
  return kid === kidOf(kernel, public_key_hex) && (status === "current" || status === "past");
}
