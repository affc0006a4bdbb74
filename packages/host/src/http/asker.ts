/** Whose requests share limits, where no key says it. */
import { isIPv6 } from "node:net";

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** How many groups of an IPv6 address name a network, which is what its user has: RFC 6177. */
const NETWORK_GROUPS = 4;

/** An IPv4 address itself; of an IPv6 address its network of 64 bits, within which anybody has as many addresses as he likes. */
export function askerOf(address: string): string {
  const [, mapped] = MAPPED.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  // What a zone or an embedded IPv4 address would add lies behind the network.
  const [before = "", after] = (address.split("%")[0] ?? "").split("::");
  const groups = (text: string | undefined) => (text === undefined || text === "" ? [] : text.split(":"));
  const [first, last] = [groups(before), groups(after)];
  const missing = after === undefined ? 0 : 8 - first.length - last.length - (address.includes(".") ? 1 : 0);
  const all = [...first, ...Array<string>(Math.max(0, missing)).fill("0"), ...last];
  const network = all.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
