/**
 * Rotation of the sealing key (protocol section 4): the old key endorses the new one, and one commit makes the new one seal, also beside a running
 * server. Cut off before that commit nothing has changed, and after it all has: whatever is left to do then is done by the next start.
 */
import { issueKeyEndorsement, type Kernel, type KeyEndorsement, type Kid, type PublicKeyHex } from "@svc/core";
import { type Clock, latest, serviceTime } from "../clock.ts";
import { DataFolderError } from "../data-folder.ts";
import { reached } from "../steps.ts";
import { type Database, expectMoved, type Writer } from "../store/database.ts";
import { recordAccess } from "../tenancy/access-log-store.ts";
import { currentSigningKey, insertSigningKey, retireSigningKey, signingKeys } from "../tenancy/service-store.ts";
import { allTenants } from "../tenancy/tenants-store.ts";
import { keepEndorsements, keptEndorsements } from "./endorsements-file.ts";
import { insertKeyEndorsement, keyEndorsements } from "./endorsements-store.ts";
import type { KidSigner } from "./file-signer.ts";
import type { KeySource } from "./key-source.ts";
import { newestSealedTime } from "./sealed-times-store.ts";
import { SigningKey } from "./signing-key.ts";

export interface RotationGround {
  readonly database: Database;
  readonly kernel: Kernel;
  readonly clock: Clock;
  readonly source: KeySource;
  readonly dataFolder: string;
}

export interface Rotated {
  readonly kid: Kid;
  readonly public_key_hex: PublicKeyHex;
  readonly replaces: Kid;
  readonly valid_from: string;
  readonly endorsement: KeyEndorsement;
}

/** Rotates. `requireUsable` throws where a key must not become the sealing key. */
export async function rotateSigningKey(
  ground: RotationGround,
  requireUsable: (successor: KidSigner) => Promise<void>,
): Promise<Rotated> {
  const { database, kernel, clock, source } = ground;
  const known = await database.read(signingKeys);
  const successor = await source.successor(new Set(known.map(({ kid }) => kid)));
  await requireUsable(successor);
  reached("rotation: successor kept");
  const signingKey = new SigningKey(kernel, source);
  const endorsement = await database.write(async (writer) => {
    const old = await signingKey.current(writer);
    if (old.kid === successor.kid)
      throw new DataFolderError(`Somebody else has just rotated to ${successor.kid}: there is nothing left to do.`);
    // In this transaction, so that nothing is sealed by the old key at a later time. Strictly later than its own, so that keys have an order.
    const afterOld = serviceTime(Date.parse(old.validFrom) + 1);
    const validFrom = latest(serviceTime(clock()), afterOld, await newestSealedTime(writer));
    const made = await issueKeyEndorsement(kernel, old, successor.publicKeyHex, validFrom);
    await switchTo(writer, made);
    reached("rotation: before switch");
    return made;
  });
  reached("rotation: switched");
  await settleRotation(ground);
  return {
    kid: successor.kid,
    public_key_hex: successor.publicKeyHex,
    replaces: endorsement.seal.kid as Kid,
    valid_from: endorsement.valid_from,
    endorsement,
  };
}

/** Makes the endorsed key the one that seals, in a transaction of the caller's. */
async function switchTo(writer: Writer, endorsement: KeyEndorsement): Promise<void> {
  const { endorsed_kid, public_key_hex, valid_from, seal } = endorsement;
  expectMoved(await retireSigningKey(writer, seal.kid as Kid, valid_from), "the sealing key");
  await insertSigningKey(writer, { kid: endorsed_kid, public_key_hex, valid_from });
  await insertKeyEndorsement(writer, endorsement, valid_from);
  for (const { tenant_id } of await allTenants(writer)) {
    const actor = { tenantId: tenant_id, kind: "service", id: "svc-server", roles: [] } as const;
    await recordAccess(writer, actor, "signing_key.rotated", endorsed_kid, { replaces: seal.kid }, valid_from);
  }
}

/** What follows the commit of a rotation, and can be done again: the endorsements are kept beside the keys, and the old key is let go of. */
export async function settleRotation({ database, kernel, source, dataFolder }: Omit<RotationGround, "clock">) {
  const { current, endorsements } = await database.read(async (reader) => ({
    current: await currentSigningKey(reader),
    endorsements: await keyEndorsements(reader, kernel),
  }));
  if (endorsements.length === 0 || current === null) return;
  keepEndorsements(dataFolder, endorsements);
  reached("rotation: endorsements kept");
  source.settle(current.kid);
  reached("rotation: settled");
}

/**
 * Repeats rotations that a database from an older backup does not know, from the endorsements beside the keys: the old private key is gone, and
 * nothing could be sealed otherwise. Answers the kids that it led to, in order.
 */
export async function catchUpRotations(ground: Omit<RotationGround, "clock">): Promise<Kid[]> {
  const { database, kernel, source, dataFolder } = ground;
  const row = await database.read(currentSigningKey);
  const here = (await source.keys()).map(({ kid }) => kid);
  if (row === null || here.includes(row.kid)) return [];
  const missed: KeyEndorsement[] = [];
  const kept = keptEndorsements(dataFolder, kernel);
  for (let kid: Kid | undefined = row.kid; kid !== undefined && !here.includes(kid); ) {
    const next: KeyEndorsement | undefined = kept.find(({ seal }) => seal.kid === kid);
    if (next === undefined || missed.includes(next)) return [];
    missed.push(next);
    kid = next.endorsed_kid;
  }
  await database.write(async (writer) => {
    const sealed = await newestSealedTime(writer);
    for (const endorsement of missed) {
      if (sealed !== null && endorsement.valid_from < sealed)
        throw new DataFolderError(
          `The database has evidence of ${sealed}, and ${endorsement.endorsed_kid} took over at ${endorsement.valid_from}: it is not from before that rotation. Put the right database back.`,
        );
      await switchTo(writer, endorsement);
    }
  });
  return missed.map(({ endorsed_kid }) => endorsed_kid);
}
