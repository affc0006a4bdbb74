/**
 * The keys that a running service states, over the network: the only module of `svc` on the way to one, and no command that verifies
 * imports it. What comes back is the service's word; that each key fits its identifier is checked, whose it is cannot be.
 */
import { formats, type Kernel, kidOf } from "@svc/core";
import { type ServiceKey, type ServiceKeys, SvcClient, SvcError } from "@svc/sdk";
import { EXIT, Refusal } from "../exit.ts";

const TIMEOUT_MS = 15_000;
const MAX_ATTEMPTS = 2;
/** Far more than a service has keys for. */
const MAX_ANSWER_BYTES = 1024 ** 2;

/** Asks the service at a URL for `GET /v2/keys`. Refuses a URL that is none (64), no answer (66), and what is no list of keys (66). */
export async function askServiceKeys(kernel: Kernel, url: string): Promise<ServiceKeys> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || new URL(url).username !== "")
    // Not repeated: a password may stand in it.
    throw new Refusal(EXIT.usage, "This is no address of a service.", "Give one as https://evidence.example.");
  const client = new SvcClient({ baseUrl: url, timeoutMs: TIMEOUT_MS, maxAttempts: MAX_ATTEMPTS, fetch: boundedFetch });
  try {
    return checked(kernel, await client.keys());
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    throw new Refusal(
      EXIT.input,
      `"${url}" did not tell its keys: ${error.message}`,
      "Check the address and that the service runs; then ask again.",
    );
  }
}

/** `fetch` that stops reading a body past the limit. */
async function boundedFetch(...call: Parameters<typeof fetch>): Promise<Response> {
  const response = await globalThis.fetch(...call);
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of response.body ?? []) {
    total += chunk.length;
    if (total > MAX_ANSWER_BYTES) throw new RangeError(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), { status: response.status });
}

function checked(kernel: Kernel, answer: ServiceKeys): ServiceKeys {
  const { origin, keys } = (answer ?? {}) as Partial<ServiceKeys>;
  const isOrigin = typeof origin === "string" && formats.origin?.(origin) === true;
  if (isOrigin && Array.isArray(keys) && keys.every((key) => isOwn(kernel, key))) return answer;
  throw new SvcError("unexpected_answer", "its answer is not an origin and keys with their identifiers.", 200);
}

function isOwn(kernel: Kernel, key: ServiceKey): boolean {
  const { kid, public_key_hex, status } = (key ?? {}) as Partial<ServiceKey>;
  if (typeof public_key_hex !== "string" || !/^[0-9a-f]{64}$/.test(public_key_hex)) return false;
  return kid === kidOf(kernel, public_key_hex) && (status === "current" || status === "past");
}
