/**
 * Rotation of the pepper, while no server runs. A secret is stored as its hash alone, so it can be hashed anew only
 * when its key is used: until then the pepper of before is needed beside that of now. Wherever this is cut off, the
 * database names the pepper of now by its hash, and the folder has it:
 *
 * - `pepper.next` is written. As long as the database does not know it, it is not used.
 * - One commit makes it the pepper of now; `pepper` is the earlier one from then on.
 * - One commit says that nothing needs the earlier one. Then `pepper.next` takes the name `pepper`, which deletes that;
 *   the next start does it as well.
 */
import { join } from "node:path";
import { type Clock, latest, serviceTime } from "@svc/host/clock";
import { renameDurably, replaceFile } from "@svc/host/durable-file";
import { failpoint } from "@svc/host/failpoint";
import { type Database, expectMoved, type Writer } from "@svc/host/store";
import {
  type DataFolder,
  DataFolderError,
  NEXT_PEPPER,
  newPepper,
  PEPPER,
  readPeppers,
} from "../data-folder/data-folder.ts";
import { requireOwnDatabase } from "../deployment/own-database.ts";
import { newestRecordUpTo } from "../idempotency/store.ts";
import { keyedHashUnder, type ServerKeyedHash } from "../signing/keyed-hash.ts";
import { earlierPepper, forgetEarlierPepper, serviceRow, switchPepper } from "../signing/service-store.ts";
import { recordAccess } from "../tenancy/access-log-store.ts";
import { recordBeside } from "../tenancy/administration.ts";
import { endCredential } from "../tenancy/credentials-store.ts";
import { systemKeyRevoked } from "../tenancy/events.ts";
import { allTenants } from "../tenancy/tenants-store.ts";
import { isNeeded, type PepperWaits, waitsForPepper } from "./waits.ts";

/** Behind every service time. */
const END_OF_TIME = "9999-12-31T23:59:59.999Z";

/** The capabilities for a rotation. The caller has the folder's lock. */
export interface PepperRotation {
  readonly database: Database;
  readonly clock: Clock;
  readonly folder: Pick<DataFolder, "path" | "databaseFile">;
}

/**
 * Makes a new pepper that of now, and resolves to the time of that. `requireAlone` rejects if another process may go on
 * under the pepper of before. Rejects with DataFolderError while there is an earlier pepper.
 */
export async function rotatePepper(
  { database, clock, folder }: PepperRotation,
  requireAlone: (writer: Writer) => Promise<void>,
): Promise<string> {
  const rotation = async (writer: Writer) => {
    await requireAlone(writer);
    const { keyedHash } = requireOwnDatabase({ ...folder, ...readPeppers(folder.path) }, await serviceRow(writer));
    // The file of the pepper of now must never be written over.
    if (keyedHash.earlier !== null || (await earlierPepper(writer)) !== null)
      throw new DataFolderError("The pepper before that of now is still there: keys rotate-pepper --finish");
    const next = newPepper();
    replaceFile(join(folder.path, NEXT_PEPPER), next);
    failpoint("pepper rotation: next kept");
    // A clock that was set back must not make a request of before look like one of after.
    const at = latest(serviceTime(clock()), (await newestRecordUpTo(writer, END_OF_TIME)) ?? "");
    const { pepperMac } = keyedHashUnder(next);
    expectMoved(await switchPepper(writer, keyedHash.pepperMac, pepperMac, at), "the pepper");
    for (const { tenant_id } of await allTenants(writer))
      await recordAccess(writer, operatorOf(tenant_id), "pepper.rotated", pepperMac, {}, at);
    failpoint("pepper rotation: before switch");
    return at;
  };
  const rotatedAt = await database.write(rotation, { isLocking: true });
  failpoint("pepper rotation: switched");
  return rotatedAt;
}

/** An earlier pepper after an attempt to delete it. */
export interface Settled {
  /** The rest that still needs it, or null. */
  readonly waits: PepperWaits | null;
  /** The keys that were revoked for it. */
  readonly revoked: readonly string[];
}

/**
 * Deletes the earlier pepper once nothing needs it, and resolves to what does otherwise. It can be repeated, and does
 * the rest of one that was cut off. `revokeUnused`: whether to revoke the keys that need it, once nothing else does.
 */
export async function settlePepper(
  { database, clock, folder, keyedHash }: PepperRotation & { readonly keyedHash: ServerKeyedHash },
  { revokeUnused = false }: { readonly revokeUnused?: boolean } = {},
): Promise<Settled> {
  const now = serviceTime(clock());
  let revoked: readonly string[] = [];
  if ((await database.read(earlierPepper)) !== null) {
    const settled = await database.write(
      async (writer): Promise<Settled> => {
        const found = await waitsForPepper(writer, keyedHash, now);
        if (found === null) return { waits: null, revoked: [] };
        if (isNeeded(revokeUnused ? { ...found, keys: [] } : found)) return { waits: found, revoked: [] };
        for (const { credential_id, tenant_id } of found.keys) {
          expectMoved(await endCredential(writer, credential_id, now), "a key");
          const after = { because: "pepper_rotated" };
          const change = { type: systemKeyRevoked, objectId: credential_id, before: null, after } as const;
          await recordBeside(writer)(operatorOf(tenant_id), change, now);
        }
        await forgetEarlierPepper(writer, found);
        return { waits: null, revoked: found.keys.map(({ credential_id }) => credential_id) };
      },
      { isLocking: true },
    );
    if (settled.waits !== null) return settled;
    revoked = settled.revoked;
    failpoint("pepper rotation: earlier forgotten");
  }
  const { nextPepper } = readPeppers(folder.path);
  if (nextPepper !== null && keyedHashUnder(nextPepper).pepperMac === keyedHash.pepperMac) {
    renameDurably(join(folder.path, NEXT_PEPPER), join(folder.path, PEPPER));
    failpoint("pepper rotation: settled");
  }
  return { waits: null, revoked };
}

function operatorOf(tenantId: string) {
  return { tenantId, kind: "service", id: "svc-server", roles: [] } as const;
}
