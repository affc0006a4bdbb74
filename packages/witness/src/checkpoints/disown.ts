/**
 * Gives a stream back that a list of others had taken: the witness forgets what it cosigned over notes by the list's
 * key alone, and begins anew with the service. It is refused wherever a cosigned tree may have been the service's own.
 * A cosignature names no key of the log, so no other root of a disowned size is ever cosigned: nobody can show two
 * cosignatures that contradict each other. It does NOT know whether a key once was the service's: the operator says so.
 */
import { type Kernel, parseVerificationKey, pinKeys, type VerificationKey, verificationKey, verify } from "@svc/core";
import type { Reader, Writer } from "@svc/host/store";
import { evidenceOf, forkIdsOf, removeFork } from "../forks/forks-store.ts";
import { signersOf } from "../forks/signers.ts";
import type { WitnessKey } from "../keys/key-file.ts";
import type { SignedPoint } from "../keys/mark-store.ts";
import { CHANGED } from "../keys/require-newest.ts";
import { MAX_SIGNED_NOTES } from "../limits.ts";
import { readLogKey } from "../origins/log-key.ts";
import { forgetListed, streamVkeysOf } from "../origins/origins-store.ts";
import { serviceOf } from "../origins/stream-origin.ts";
import { WitnessError } from "../witness-error.ts";
import { isSealed, latestOf, moveWitness, pointOf, readWitness } from "./checkpoints-store.ts";
import { forgetNote, moveToDisowned, signersOfOrigin, storedOf, treesToDisown } from "./disowned-store.ts";
import { sealOf, sumAfter, sumWithDisowned } from "./tree-sum.ts";

/** A stream that can be given back. */
export interface Taken {
  readonly origin: string;
  readonly service: string;
  /** The keys of the service, under the name of the stream. */
  readonly keys: readonly VerificationKey[];
  /** The number of trees that were cosigned, and the size of the last one. */
  readonly trees: number;
  readonly lastSize: number;
}

/** Resolves to the stream that a key of a list has taken. Rejects with WitnessError if it cannot be given back. */
export async function takenBy(reader: Reader, kernel: Kernel, vkey: string): Promise<Taken> {
  const { name: origin } = readLogKey(kernel, vkey);
  const service = serviceOf(origin);
  const vkeys = service === null ? [] : await streamVkeysOf(reader, service);
  if (service === null || vkeys.length === 0)
    throw new WitnessError(`${origin} is no stream of a service that is known. Add that first: origins add --streams.`);
  const named = vkeys.map((own) => verificationKey(kernel, origin, readLogKey(kernel, own).publicKeyHex));
  if (named.includes(vkey)) throw new WitnessError(`The key is one of ${service}: what it signed is never forgotten.`);
  const keys = named.map((own) => parseVerificationKey(kernel, own)).flatMap((own) => (own.ok ? [own.key] : []));
  const [signers, kept] = [await signersOfOrigin(reader, origin), await storedOf(reader, origin)];
  if (signers.length === 0) throw new WitnessError(`Nothing was cosigned for ${origin}: there is nothing to forget.`);
  if (signers.some((signer) => signer.vkey !== vkey || signer.listed !== 1))
    throw new WitnessError(
      honest(origin, "signed by another key than this one of a list, or before keys were recorded"),
    );
  const cosigned = kept.filter(({ signed_no }) => signed_no !== null);
  if (cosigned.some(({ signed_note }) => signersOf(signed_note, keys).length > 0))
    throw new WitnessError(honest(origin, `signed by ${service} as well`));
  if (cosigned.length >= MAX_SIGNED_NOTES)
    throw new WitnessError(`More was cosigned for ${origin} than is kept, so nobody can tell of which sizes.`);
  const lastSize = (await latestOf(reader, origin))?.treeSize ?? 0;
  return { origin, service, keys, trees: cosigned.length, lastSize };
}

/** A stream that was given back. */
export interface GivenBack {
  readonly point: SignedPoint;
  /** Evidence that rested on the key, and was removed. */
  readonly forkIds: readonly string[];
}

/** Gives a stream back in one transaction. `taken`: from the same one. */
export async function giveBack(
  writer: Writer,
  kernel: Kernel,
  key: WitnessKey,
  { taken: { origin, keys }, vkey, headOf }: { taken: Taken; vkey: string; headOf: (before: string) => string },
): Promise<GivenBack> {
  const row = await readWitness(writer);
  if (row === null || !isSealed(row)) throw new WitnessError(CHANGED);
  const [before, last] = [pointOf(row), await latestOf(writer, origin)];
  const disowned = await treesToDisown(writer, origin);
  await moveToDisowned(writer, origin);
  for (const { note_no, signed_note } of await storedOf(writer, origin))
    if (signersOf(signed_note, keys).length === 0) await forgetNote(writer, note_no);
  await forgetListed(writer, origin, vkey);
  const forkIds = await removeForksWithout(writer, kernel, origin, keys);
  const without = sumAfter(key.memory, before.treeSum, origin, { from: last, to: null });
  const treeSum = sumWithDisowned(key.memory, without, disowned);
  const point = { signedNo: before.signedNo + 1, signedHead: headOf(before.signedHead), treeSum };
  await moveWitness(writer, { ...point, seal: sealOf(key.memory, row.vkey, point) });
  return { point, forkIds };
}

/** Removes evidence about an origin that does not hold by the keys of its service alone. */
async function removeForksWithout(
  writer: Writer,
  kernel: Kernel,
  origin: string,
  keys: readonly VerificationKey[],
): Promise<string[]> {
  const removed: string[] = [];
  const trust = pinKeys(
    kernel,
    keys.map(({ publicKeyHex }) => publicKeyHex),
  );
  for (const forkId of await forkIdsOf(writer, origin)) {
    const evidence = await evidenceOf(writer, forkId);
    if (evidence === null || verify(Buffer.from(evidence), { kind: "fork", trust, kernel }).ok) continue;
    await removeFork(writer, forkId);
    removed.push(forkId);
  }
  return removed;
}

function honest(origin: string, how: string): string {
  return `A tree of ${origin} that was cosigned was ${how}. It may be the service's own, so nothing is forgotten.`;
}
