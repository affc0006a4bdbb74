/** The words of commands for changes of systems and keys that are refused. */
import { UsageError } from "@svc/host/settings";
import { type RefusalReason, TenancyRefusal } from "../administration/refusal.ts";

/** The words for the id that a refusal is about, by its reason. */
type Words = Readonly<Record<RefusalReason, (subject: string) => string>>;

const USUAL: Words = {
  system_not_found: (id) => `There is no system ${JSON.stringify(id)}. systems list shows them.`,
  system_retired: (id) => `${id} is retired, and gets no keys. Make another system with systems create.`,
  key_not_found: (id) => `There is no key ${JSON.stringify(id)}. keys list shows them.`,
  key_not_in_force: (id) => `${id} is not in force.`,
  stream_not_found: (id) => `There is no stream ${JSON.stringify(id)} of this system. GET /v2/streams lists them.`,
};

/** Does a change. Rejects with UsageError, in these words or the usual ones, where it rejects with TenancyRefusal. */
export async function inWords<Value>(words: Partial<Words>, change: () => Promise<Value>): Promise<Value> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof TenancyRefusal)) throw error;
    const { reason, subject } = error;
    throw new UsageError([(words[reason] ?? USUAL[reason])(subject)]);
  }
}
