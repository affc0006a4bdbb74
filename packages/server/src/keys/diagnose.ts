/**
 * The operator's questions about the sealing keys: whether the current key is here, and the endorsements of earlier
 * ones.
 */
import { type Finding, looked, ok, warn } from "@svc/host/checks";
import type { DiagnoseContext } from "../check-context.ts";
import { storedEndorsements } from "../signing/endorsements-file.ts";
import { SigningKey } from "../signing/signing-key.ts";

const DAY_MS = 86_400_000;
const OLD_DAYS = 365;

/** Resolves to the findings about the sealing keys. */
export async function diagnoseKeys(context: DiagnoseContext): Promise<Finding[]> {
  return [...(await looked("endorsements", () => endorsements(context))), ...(await signingKey(context))];
}

/** Returns the finding about the endorsements that lead from key to key; a start refuses a damaged file of them. */
function endorsements({ folder, kernel }: DiagnoseContext): Finding[] {
  const { length } = storedEndorsements(folder.path, kernel);
  return [ok("endorsements", `${length} of keys that sealed before`)];
}

function signingKey({ read, kernel, source, now }: DiagnoseContext): Promise<Finding[]> {
  return read("sealing key", async (reader) => {
    const { kid, validFrom } = await new SigningKey(kernel, source).current(reader);
    const days = Math.floor((now - Date.parse(validFrom)) / DAY_MS);
    const says = `${kid}, ${source.place}, for ${Math.max(0, days)} days`;
    return [days > OLD_DAYS ? warn("sealing key", `${says}. Run: keys rotate-signing`) : ok("sealing key", says)];
  });
}
