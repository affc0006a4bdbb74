/** The text under which requests without a key share limits. */
import { isIPv6 } from "node:net";

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
/**
 * The number of 16-bit groups that name the network of an IPv6 address, which is the part that one user is assigned
 * (RFC 6177).
 */
const NETWORK_GROUPS = 4;

/**
 * Returns an IPv4 address unchanged, also one that is mapped into IPv6. For an IPv6 address, returns its network of 64
 * bits, within which one user has any number of addresses. Other text is returned unchanged.
 */
export function askerOf(address: string): string {
  const [, mapped] = MAPPED.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  // A zone or an embedded IPv4 address comes after these 64 bits.
  const [before = "", after] = (address.split("%")[0] ?? "").split("::");
  const groups = (text: string | undefined) => (text === undefined || text === "" ? [] : text.split(":"));
  const [first, last] = [groups(before), groups(after)];
  const missing = after === undefined ? 0 : 8 - first.length - last.length - (address.includes(".") ? 1 : 0);
  const all = [...first, ...Array<string>(Math.max(0, missing)).fill("0"), ...last];
  const network = all.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
