/**
 * Rotation of the sealing key (protocol section 4): the old key endorses the new one, and one commit makes the new one
 * seal, also beside a running server. An interruption before that commit changes nothing; after it, the next start does
 * the rest.
 */
import {
  issueKeyEndorsement,
  type Kernel,
  type KeyEndorsement,
  type Kid,
  type PublicKeyHex,
  pinKeys,
  verify,
} from "@svc/core";
import { type Clock, latest, serviceTime } from "@svc/host/clock";
import { failpoint } from "@svc/host/failpoint";
import { type Database, expectMoved, type Reader, type Writer } from "@svc/host/store";
import { DataFolderError } from "../data-folder/data-folder.ts";
import { ENDORSEMENTS, keepEndorsements, storedEndorsements } from "../signing/endorsements-file.ts";
import { insertKeyEndorsement, keyEndorsements } from "../signing/endorsements-store.ts";
import type { KidSigner } from "../signing/file-signer.ts";
import type { KeySource } from "../signing/key-source.ts";
import {
  currentSigningKey,
  insertSigningKey,
  lockSigningKey,
  retireSigningKey,
  type SigningKeyRow,
  signingKeys,
} from "../signing/service-store.ts";
import { SigningKey } from "../signing/signing-key.ts";
import { recordBeside } from "../tenancy/administration.ts";
import { allTenants } from "../tenancy/tenants-store.ts";
import { signingKeyRotated } from "./events.ts";
import { newestSealedTime } from "./sealed-times-store.ts";

/** The capabilities for a rotation. */
export interface RotationContext {
  readonly database: Database;
  readonly kernel: Kernel;
  readonly clock: Clock;
  readonly source: KeySource;
  readonly dataFolder: string;
}

/** The result of a rotation, as the command prints it. */
export interface Rotated {
  readonly kid: Kid;
  readonly public_key_hex: PublicKeyHex;
  readonly replaces: Kid;
  readonly valid_from: string;
  readonly endorsement: KeyEndorsement;
}

/**
 * Rotates the sealing key, and resolves to the new one. `requireUsable` rejects for a key that must not become the
 * sealing key. Rejects with DataFolderError if no successor is found, or if the files could not be updated after the
 * commit.
 */
export async function rotateSigningKey(
  context: RotationContext,
  requireUsable: (successor: KidSigner, reader: Reader) => Promise<void>,
): Promise<Rotated> {
  const { database, kernel, clock, source } = context;
  const signingKey = new SigningKey(kernel, source);
  // The whole rotation is one transaction, which only one process can have at a time: another rotation could overwrite
  // the key that this one makes seal. It locks the old key before it looks at anything, so all that has sealed with it
  // is there to be seen.
  const rotation = async (writer: Writer) => {
    const old = await signingKey.held(writer, "update");
    // The current key may still have the successor's file name, if the rotation to it was interrupted.
    source.settle(old.kid);
    const known = await signingKeys(writer);
    const successor = await source.successor(new Set(known.map(({ kid }) => kid)));
    await requireUsable(successor, writer);
    failpoint("rotation: successor kept");
    // The time is strictly later than that of the old key, so that keys have an order; and the old key has sealed
    // nothing at a later time.
    const afterOld = serviceTime(Date.parse(old.validFrom) + 1);
    const validFrom = latest(serviceTime(clock()), afterOld, await newestSealedTime(writer));
    const made = await issueKeyEndorsement(kernel, old, successor.publicKeyHex, validFrom);
    await switchTo(writer, made);
    failpoint("rotation: before switch");
    return made;
  };
  const endorsement = await database.write(rotation, { isLocking: true });
  failpoint("rotation: switched");
  const { endorsed_kid: kid, public_key_hex, valid_from, seal } = endorsement;
  try {
    await settleRotation(context);
  } catch (error) {
    throw new DataFolderError(
      `${kid} seals now, and the files beside the database do not say so yet: ${(error as Error).message}. Once ` +
        `that is mended, start the server again: it finishes this.`,
    );
  }
  return { kid, public_key_hex, replaces: seal.kid as Kid, valid_from, endorsement };
}

/** Makes the endorsed key the one that seals, in a transaction of the caller. */
async function switchTo(writer: Writer, endorsement: KeyEndorsement): Promise<void> {
  const { endorsed_kid, public_key_hex, valid_from, seal } = endorsement;
  expectMoved(await retireSigningKey(writer, seal.kid as Kid, valid_from), "the sealing key");
  await insertSigningKey(writer, { kid: endorsed_kid, public_key_hex, valid_from });
  await insertKeyEndorsement(writer, endorsement, valid_from);
  for (const { tenant_id } of await allTenants(writer)) {
    const actor = { tenantId: tenant_id, kind: "service", id: "svc-server", roles: [] } as const;
    const after = { replaces: seal.kid, valid_from };
    const change = { type: signingKeyRotated, objectId: endorsed_kid, before: null, after } as const;
    await recordBeside(writer)(actor, change, valid_from);
  }
}

/**
 * Does the work after the commit of a rotation, which can be repeated: stores the endorsements beside the keys, and
 * deletes the old key.
 */
export async function settleRotation({ database, kernel, source, dataFolder }: Omit<RotationContext, "clock">) {
  // The transaction is only for its lock: meanwhile no other process rotates.
  const settling = async (writer: Writer) => {
    const current = await lockSigningKey(writer, "update");
    const endorsements = await keyEndorsements(writer, kernel);
    if (endorsements.length === 0 || current === null) return;
    keepEndorsements(dataFolder, endorsements);
    failpoint("rotation: endorsements kept");
    source.settle(current.kid);
    failpoint("rotation: settled");
  };
  await database.write(settling, { isLocking: true });
}

/**
 * Repeats rotations that a database from an older backup does not know, from the endorsements beside the keys: others
 * have followed them already, and the old private key may be gone. Resolves to the kids of the new keys, in order.
 * Rejects with DataFolderError if an endorsement does not verify, if the last key is not here, or if the database has
 * evidence that is newer than the rotation.
 */
export async function catchUpRotations(context: Omit<RotationContext, "clock">): Promise<Kid[]> {
  const { database, kernel, source, dataFolder } = context;
  const row = await database.read(currentSigningKey);
  if (row === null) return [];
  const missed = await endorsedAfter(row, storedEndorsements(dataFolder, kernel), kernel);
  const end = missed.at(-1);
  if (end === undefined) return [];
  const here = (await source.keys()).map(({ kid }) => kid);
  if (!here.includes(end.endorsed_kid))
    throw new DataFolderError(
      `${ENDORSEMENTS} says that ${end.endorsed_kid} seals, and ${source.place} holds ` +
        `${here.join(", ") || "none"}. Put the original of the key back.`,
    );
  const switching = async (writer: Writer) => {
    // Another process may have caught up meanwhile, or still seal.
    if ((await lockSigningKey(writer, "update"))?.kid !== row.kid) return;
    const sealed = await newestSealedTime(writer);
    for (const endorsement of missed) {
      if (sealed !== null && endorsement.valid_from < sealed)
        throw new DataFolderError(
          `The database has evidence of ${sealed}, and ${endorsement.endorsed_kid} took over at ` +
            `${endorsement.valid_from}: it is not from before that rotation. Put the right database back.`,
        );
      await switchTo(writer, endorsement);
    }
  };
  await database.write(switching, { isLocking: true });
  return missed.map(({ endorsed_kid }) => endorsed_kid);
}

/** Resolves to the endorsements that lead on from a key, in order, each verified under the key before it. */
async function endorsedAfter(
  { kid, public_key_hex }: Pick<SigningKeyRow, "kid" | "public_key_hex">,
  kept: readonly KeyEndorsement[],
  kernel: Kernel,
): Promise<KeyEndorsement[]> {
  const found: KeyEndorsement[] = [];
  for (let endorser = { kid, public_key_hex }; ; ) {
    const next = kept.find(({ seal }) => seal.kid === endorser.kid);
    if (next === undefined) return found;
    const trust = pinKeys(kernel, [endorser.public_key_hex]);
    const [problem] = verify(kernel.canonicalize(next), { kind: "key", trust, kernel }).problems;
    if (problem !== undefined || found.includes(next))
      throw new DataFolderError(
        `The endorsement of ${next.endorsed_kid} in ${ENDORSEMENTS} does not hold: ` +
          `${problem?.message ?? "it leads back"}. Put the original file back.`,
      );
    found.push(next);
    endorser = { kid: next.endorsed_kid, public_key_hex: next.public_key_hex };
  }
}
