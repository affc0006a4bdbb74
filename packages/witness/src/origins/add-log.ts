/**
 * Adds keys of logs: those that the operator gives, and those of lists, which only propose. A service whose key also
 * signs its streams has said by that who signs them: nobody else's key is added for a stream of it, and one that a list
 * had brought before gives way.
 */
import { type Kernel, verificationKey } from "@svc/core";
import type { Reader, Writer } from "@svc/host/store";
import { WitnessError } from "../witness-error.ts";
import { readLogKey } from "./log-key.ts";
import type { ListedLog } from "./log-list.ts";
import { addVkey, forgetListed, isKnownOrigin, streamKeysOf, streamVkeysOf, vkeysOf } from "./origins-store.ts";
import { serviceOf } from "./stream-origin.ts";

/** The words on a log that was added or not; neither for one that is known by this key. */
export interface Said {
  readonly added?: string;
  readonly wrong?: string;
}

/** A key that the operator gives. */
export interface OwnKey {
  readonly vkey: string;
  /** Whether it also signs the logs of the streams of its service. */
  readonly streams: boolean;
  readonly addedAt: string;
}

/**
 * Adds a key of the operator, and resolves to words about all that changed. Throws UsageError for what is no key of a
 * log; rejects with WitnessError for a stream whose service is known to sign it.
 */
export async function addOwn(writer: Writer, kernel: Kernel, { vkey, streams, addedAt }: OwnKey): Promise<Said[]> {
  const { name: origin } = readLogKey(kernel, vkey);
  const covering = await coveringOf(writer, kernel, origin);
  if (covering.includes(vkey)) return [{ added: `${origin} has this key already, by that of its service` }];
  if (covering.length > 0) throw new WitnessError(isCovered(origin));
  const isNew = await addVkey(writer, { origin, vkey, added_at: addedAt, streams: Number(streams) });
  const what = streams ? `${origin} and its streams` : origin;
  const said = { added: isNew ? `Added ${what}` : `${what} has this key already` };
  return streams ? [said, ...(await makeWay(writer, origin))] : [said];
}

/** Adds a log of a list if nothing is known of it. */
export async function addListed(writer: Writer, kernel: Kernel, log: ListedLog, addedAt: string): Promise<Said> {
  const origin = listedOrigin(kernel, log);
  if (typeof origin !== "string") return origin;
  const { vkey } = log;
  const covering = await coveringOf(writer, kernel, origin);
  if (covering.includes(vkey)) return {};
  if (covering.length > 0) return { wrong: `The list has a key for ${origin}. ${isCovered(origin)}` };
  if (!(await isKnownOrigin(writer, origin))) {
    await addVkey(writer, { origin, vkey, added_at: addedAt, streams: 0 }, "from a list");
    return { added: `Added ${origin}` };
  }
  const known = await vkeysOf(writer, origin);
  if (known.length === 0 || known.includes(vkey)) return {};
  return { wrong: `${origin} has another key in the list, which is not added. Ask its operator: ${vkey}` };
}

/** Returns the origin of a listed log, or why it cannot be used: one such log keeps no other from being added. */
function listedOrigin(kernel: Kernel, { vkey, origin: stated }: ListedLog): string | Said {
  try {
    const { name } = readLogKey(kernel, vkey);
    if (stated === null || stated === name) return name;
    return { wrong: `${JSON.stringify(stated)} is not added: its key has the name ${JSON.stringify(name)}.` };
  } catch (error) {
    return { wrong: (error as Error).message };
  }
}

/** Resolves to the vkeys of a stream by the keys of its service that sign all its streams; none for another origin. */
async function coveringOf(reader: Reader, kernel: Kernel, origin: string): Promise<string[]> {
  const service = serviceOf(origin);
  if (service === null) return [];
  const keys = (await streamVkeysOf(reader, service)).map((vkey) => readLogKey(kernel, vkey));
  return keys.map(({ publicKeyHex }) => verificationKey(kernel, origin, publicKeyHex));
}

function isCovered(origin: string): string {
  return (
    `${origin} is a stream of ${serviceOf(origin)}, whose keys sign its streams. Nothing is added: a new key of ` +
    `that service is added with origins add --streams.`
  );
}

/** Forgets the keys that lists have brought for streams of a service, and tells of all keys that count no more. */
async function makeWay(writer: Writer, service: string): Promise<Said[]> {
  const rows = (await streamKeysOf(writer, service)).filter(({ origin }) => serviceOf(origin) === service);
  const said: Said[] = [];
  for (const { origin, vkey, listed, cosigned } of rows) {
    if (listed === 1) await forgetListed(writer, origin, vkey);
    const from = listed === 1 ? "from a list" : "added by itself";
    const heal =
      cosigned === 1 ? ` Something was cosigned for it: origins disown --vkey ${vkey} says what can be forgotten.` : "";
    said.push({
      wrong: `${origin} had a key ${from}, ${vkey}: it counts no more, as that of its service does.${heal}`,
    });
  }
  return said;
}
