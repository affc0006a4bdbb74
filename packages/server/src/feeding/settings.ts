/** The settings of feeding: the outside witnesses of the deployment. */
import { MAX_WITNESS_KEYS } from "@svc/api/limits";
import { COSIGNATURE_LINE, parseVerificationKey } from "@svc/core";
import { integer, Mistakes, type Parse, setting } from "@svc/host/settings";
import { kernel } from "../kernel.ts";
import type { FedWitness } from "./fed-witness.ts";

/** Parses `<vkey> <URL>` pairs with commas between. */
const witnesses: Parse<readonly FedWitness[]> = (text, name) => {
  const entries = text.split(",").map((entry) => entry.trim());
  const read = entries.filter((entry) => entry !== "").map((entry) => witnessOf(entry, name));
  const mistakes = read.flatMap((one) => (one instanceof Mistakes ? one.sentences : []));
  const found = read.flatMap((one) => (one instanceof Mistakes ? [] : [one]));
  const keys = found.map(({ name: of, keyId }) => `${of}+${keyId}`);
  for (const twice of new Set(keys.filter((key, index) => keys.indexOf(key) !== index)))
    mistakes.push(`${name} names ${twice} twice; name each key of a witness once.`);
  // Each adds a line to the notes of the service log, and nobody reads a note of more.
  if (found.length > MAX_WITNESS_KEYS)
    mistakes.push(`${name} names ${found.length} witnesses; it must name ${MAX_WITNESS_KEYS} at most.`);
  return mistakes.length === 0 ? found : new Mistakes(...mistakes);
};

function witnessOf(entry: string, name: string): FedWitness | Mistakes {
  const [vkey = "", address = "", ...more] = entry.split(/\s+/);
  const place = JSON.stringify(vkey);
  if (address === "" || more.length > 0)
    return new Mistakes(`${name} has ${place} without one address behind it; it must be "<vkey> <URL>, ...".`);
  const parsed = parseVerificationKey(kernel, vkey);
  if (!parsed.ok || parsed.key.type !== COSIGNATURE_LINE)
    return new Mistakes(
      `${name} names ${place}; it must be the verification key of an Ed25519 witness (type 0x04), as its ` +
        `operator gives it.`,
    );
  const url = URL.canParse(address) ? new URL(address) : null;
  // An address in a mistake could hold a password.
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    return new Mistakes(`${name} has no address behind ${place}; it must be https://host/path or http://host/path.`);
  if (url.search !== "" || url.hash !== "")
    return new Mistakes(`${name} has an address with a query behind ${place}; it must end with the path.`);
  const { key } = parsed;
  return {
    name: key.name,
    keyId: key.keyId,
    publicKeyHex: key.publicKeyHex,
    url: url.href.replace(/\/+$/, ""),
  };
}

/** The settings. */
export const feedingSettings = {
  witnesses: setting({
    variable: "SVC_WITNESSES",
    meaning: 'outside witnesses to feed, as "<vkey> <URL>" with commas between',
    fallback: "",
    parse: witnesses,
  }),
  witnessTimeoutMs: setting({
    variable: "SVC_WITNESS_TIMEOUT_MS",
    meaning: "how long an outside witness has to cosign a note, 100 to 60000",
    fallback: "10000",
    parse: integer(100, 60_000),
  }),
  witnessGraceMs: setting({
    variable: "SVC_WITNESS_GRACE_MS",
    meaning: "how long an audit pack waits for more cosignatures after the quorum, 0 to 30000",
    fallback: "500",
    parse: integer(0, 30_000),
  }),
};
