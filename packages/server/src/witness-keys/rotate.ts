/**
 * Rotation of the key of the service's own witness: one commit declares the next key in all policies, also beside a
 * running server. The old key goes when nothing waits for its cosignature any more. The next key can also be that of a
 * separate process: then the server feeds it, and keeps no key that cosigns.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Kernel, kidOf, type WitnessKey } from "@svc/core";
import { type Clock, latest, serviceTime } from "@svc/host/clock";
import { failpoint } from "@svc/host/failpoint";
import { UsageError } from "@svc/host/settings";
import type { Database, Writer } from "@svc/host/store";
import { DataFolderError, NEXT_WITNESS_KEY } from "../data-folder/data-folder.ts";
import { managedWitnessName } from "../policies/default-policy.ts";
import { cosignsHere, ownWitness, ownWitnessKeys } from "../policies/own-witness.ts";
import { newestPolicies } from "../policies/policies-store.ts";
import { switchWitness, type WitnessSuccessor } from "../policies/switch-witness.ts";
import type { KeySource } from "../signing/key-source.ts";
import { lockSigningKey, signingKeys } from "../signing/service-store.ts";
import { keepWitnessKeys, storedWitnessKeys } from "./keys-file.ts";
import { waitsForEarlierKey } from "./waiting.ts";

/** The capabilities for a rotation. */
export interface WitnessRotation {
  readonly database: Database;
  readonly kernel: Kernel;
  readonly clock: Clock;
  readonly origin: string;
  /** The keys of the witness in the server. */
  readonly source: KeySource;
  readonly dataFolder: string;
}

/** The result of a rotation, as the command prints it. */
export type RotatedWitness = WitnessSuccessor & {
  /** The public key before it. */
  readonly replaces: string;
  /** The number of policies that have a new version. */
  readonly policies: number;
};

/** The name and the public key of a witness in a separate process. */
export type WitnessProcess = Pick<WitnessKey, "name" | "public_key_hex">;

/**
 * Rotates the key, and resolves to the new one. `to`: the process to which the witness moves; null for a new key in the
 * data folder. Rejects with DataFolderError while something waits for a key before the one of now, and with UsageError
 * for a process that must not become the service's own witness.
 */
export async function rotateWitness(context: WitnessRotation, to: WitnessProcess | null): Promise<RotatedWitness> {
  const { database, kernel, clock, origin, source } = context;
  const rotated = await database.write(async (writer) => {
    // All that is being sealed under the policies of now is there to be seen when this has been waited for.
    await lockSigningKey(writer, "update");
    if (await waitsForEarlierKey(writer, origin))
      throw new DataFolderError(
        "Checkpoints still wait for the cosignature of the key before the one that would be replaced. Start the " +
          "server, which cosigns them, and rotate then; doctor says if one of them cannot be cosigned.",
      );
    const keys = await ownWitnessKeys(writer);
    const before = await ownWitness(writer);
    const known = new Set(keys.map(({ public_key_hex }) => kidOf(kernel, public_key_hex)));
    source.settle(kidOf(kernel, before.public_key_hex));
    if (to !== null) await requireUsable(writer, origin, keys, to);
    const next: WitnessSuccessor = {
      ...(to ?? {
        name: managedWitnessName(origin),
        public_key_hex: (await source.successor(known)).publicKeyHex,
      }),
      key_epoch: before.key_epoch + 1,
      valid_from: latest(serviceTime(clock()), serviceTime(Date.parse(before.valid_from) + 1)),
    };
    failpoint("witness rotation: successor kept");
    const policies = await switchWitness(writer, kernel, next);
    failpoint("witness rotation: before switch");
    return { ...next, replaces: before.public_key_hex, policies };
  });
  failpoint("witness rotation: switched");
  return rotated;
}

/** Rejects with UsageError for a process whose name or key says already what it is to somebody. */
async function requireUsable(
  writer: Writer,
  origin: string,
  keys: readonly WitnessKey[],
  { name, public_key_hex }: WitnessProcess,
): Promise<void> {
  const refuse = (why: string) => {
    throw new UsageError([`${name} cannot become the service's own witness: ${why}.`]);
  };
  if (name === managedWitnessName(origin)) refuse("that is the name of the witness in the server, so choose another");
  if (keys.some((key) => key.public_key_hex === public_key_hex)) refuse("its key has been that witness's before");
  if ((await signingKeys(writer)).some((key) => key.public_key_hex === public_key_hex))
    refuse("its key seals here, and would witness itself");
  // They would go on to call it independent.
  const others = (await newestPolicies(writer)).filter(({ witnessPolicy: { witnessKeys } }) =>
    witnessKeys.some((key) => !key.managed && (key.name === name || key.public_key_hex === public_key_hex)),
  );
  if (others.length > 0)
    refuse(
      `policies list it as a witness of somebody else ` +
        `(${others.map(({ policy }) => policy.policy_id).join(", ")}); declare them without it first`,
    );
}

/**
 * Does the work after the commit of a rotation, which can be repeated: stores the public keys beside the private ones,
 * and deletes the old key once nothing waits for it. Resolves to whether something does.
 */
export async function settleWitness({
  database,
  kernel,
  origin,
  source,
  dataFolder,
}: Omit<WitnessRotation, "clock">): Promise<boolean> {
  const { successors, waits } = await database.read(async (reader) => {
    const [_first, ...successors] = await ownWitnessKeys(reader);
    // Without a successor nothing can wait, and a start need not look for it.
    return { successors, waits: successors.length > 0 && (await waitsForEarlierKey(reader, origin)) };
  });
  const current = successors.at(-1);
  if (current === undefined) return false;
  keepWitnessKeys(dataFolder, successors);
  failpoint("witness rotation: keys kept");
  if (waits || !cosignsHere(current, origin) || !existsSync(join(dataFolder, NEXT_WITNESS_KEY))) return waits;
  const settling = async (writer: Writer) => {
    // Nothing is sealed under an older policy after this.
    await lockSigningKey(writer, "update");
    if (await waitsForEarlierKey(writer, origin)) return true;
    source.settle(kidOf(kernel, current.public_key_hex));
    failpoint("witness rotation: settled");
    return false;
  };
  return database.write(settling, { isLocking: true });
}

/**
 * Repeats rotations that a database from an older backup does not know, from the public keys beside the private ones:
 * policies with the new keys were published, and the old private key may be gone. Rejects with DataFolderError for a
 * damaged file of them.
 */
export async function catchUpWitness({
  database,
  kernel,
  dataFolder,
}: Pick<WitnessRotation, "database" | "kernel" | "dataFolder">): Promise<void> {
  const kept = storedWitnessKeys(dataFolder, kernel);
  const { key_epoch } = await database.read(ownWitness);
  if (!kept.some((key) => key.key_epoch > key_epoch)) return;
  await database.write(async (writer) => {
    await lockSigningKey(writer, "update");
    for (const next of kept.toSorted((one, other) => one.key_epoch - other.key_epoch))
      if (next.key_epoch > (await ownWitness(writer)).key_epoch) await switchWitness(writer, kernel, next);
  });
}
