/** A trust file for a person: every pin with its limits. All texts of the file are escaped here. */
import type { Kernel, TrustPolicy } from "@svc/core";
import { counted, escapeAll, escapeText, shorten } from "@svc/report";
import { keyForms } from "../keys/forms.ts";
import { keyLines } from "../keys/lines.ts";
import { wrap } from "../render/text.ts";
import type { SignerPin } from "./pins.ts";
import type { TrustPlace } from "./place.ts";
import type { TrustFile } from "./store.ts";
import { vaultSections } from "./vault-words.ts";

const NAMED_BY: Readonly<Record<TrustPlace["source"], string>> = {
  "--trust": "named by --trust",
  SVC_TRUST: "named by $SVC_TRUST",
  usual: "at the usual place",
};

/** Returns which file it is, and the origin of its path. */
export function placeLines({ path, source }: TrustPlace): string[] {
  return wrap(`${escapeText(path)} (${NAMED_BY[source]})`, { first: "", rest: "" });
}

/** Returns the whole content of the file, in the order of protocol section 16. */
export function trustLines(raw: TrustFile): string[] {
  const { policy, names } = escapeAll(raw);
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ["Signers", policy.signers.flatMap((pin) => signerLines(pin, names[pin.kid]))],
    ["Revoked", (policy.revoked ?? []).flatMap((kid) => item(named(kid, names[kid])))],
    ["Witnesses", (policy.witnesses ?? []).flatMap((pin) => item(`${pin.name}  ${shorten(pin.public_key_hex)}`))],
    ["Quorum", quorumLines(raw.policy.quorum)],
    ["Blocks", (policy.blocks ?? []).flatMap(({ network, number, hash }) => item(`${network} ${number}  ${hash}`))],
    ["Contracts", (policy.contracts ?? []).flatMap((pin) => item(`${pin.network} ${pin.address}`, pin.code_hash))],
    ...vaultSections(policy).map(([title, entries]): [string, string[]] => [
      title,
      entries.flatMap((lines) => item(...lines)),
    ]),
    ["Required", (policy.require ?? []).flatMap((each) => item(each))],
    ["Known checkpoints", (policy.known_checkpoints ?? []).flatMap(headLines)],
    ["Expected", policy.expect === undefined ? [] : item(JSON.stringify(policy.expect))],
  ];
  const said = sections.filter(([, lines]) => lines.length > 0).flatMap(([title, lines]) => ["", title, ...lines]);
  return said.length > 0 ? said : ["", "Nobody is pinned, so nothing can be verified under it."];
}

/** Returns one signer: the forms of its key, its name and its limits. */
export function signerPage(kernel: Kernel, pins: readonly SignerPin[], name: string | undefined): string[] {
  const [first] = pins;
  if (first === undefined) return [];
  const shown = escapeAll(pins);
  return [
    ...(name === undefined ? [] : [`name         ${escapeText(name)}`]),
    ...shown.flatMap((pin) =>
      limits(pin).map((limit, index) => `${(index === 0 ? "trusted" : "").padEnd(13)}${limit}`),
    ),
    ...keyLines(keyForms(kernel, first.public_key_hex)),
  ];
}

function signerLines(pin: SignerPin, name: string | undefined): string[] {
  return item(named(pin.kid, name), ...limits(pin));
}

function limits({ origin, streams, valid_to, endorse }: SignerPin): string[] {
  const said = [
    ...(origin === undefined ? [] : [`for the streams of ${origin}`]),
    ...(streams ?? []).map((id) => `for ${id}`),
    ...(streams?.length === 0 ? ["for no stream at all"] : []),
    ...(valid_to === undefined ? [] : [`for what is proven to be sealed by ${valid_to}`]),
    ...(endorse === false ? ["its endorsements do not count"] : []),
  ];
  return said.length > 0 ? said : ["for every stream"];
}

function headLines({
  stream_id,
  window_count,
  checkpoint_root,
}: NonNullable<TrustPolicy["known_checkpoints"]>[number]): string[] {
  return item(`${stream_id}  ${counted(window_count, "window")}`, checkpoint_root);
}

/** A text is a whole policy, and is shown line by line. */
function quorumLines(quorum: number | string | undefined): string[] {
  if (typeof quorum === "number") return item(`${quorum} of the witnesses`);
  return (quorum ?? "").split("\n").flatMap((line) => (line === "" ? [] : item(escapeText(line))));
}

function named(kid: string, name: string | undefined): string {
  return name === undefined ? kid : `${kid}  ${name}`;
}

function item(head: string, ...below: readonly string[]): string[] {
  return [head, ...below].flatMap((text, index) =>
    wrap(text, index === 0 ? { first: "  ", rest: "    " } : { first: "    ", rest: "    " }),
  );
}
