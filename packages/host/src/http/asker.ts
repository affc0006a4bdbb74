/** The text under which requests without a key share limits. */
import { isIP, isIPv4, isIPv6 } from "node:net";

/** An address with the port that some proxies write behind it: another one for each connection of a client. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/;
/** An address of IPv4 in the last 32 bits of one of IPv6: mapped (RFC 4291), or behind a translator (RFC 6052). */
const EMBEDDING: readonly string[] = ["0:0:0:0:0:ffff", "64:ff9b:0:0:0:0"];
/**
 * The number of 16-bit groups that name the network of an IPv6 address, which is the part that one user is assigned
 * (RFC 6177).
 */
const NETWORK_GROUPS = 4;
/** All that is no address shares the limits of one asker. */
const UNKNOWN = "unknown";

/** Returns an address without a port and brackets around it. Other text is returned unchanged. */
export function bareAddress(text: string): string {
  const [, v6, v4] = WITH_PORT.exec(text) ?? [];
  const inside = v6 ?? v4 ?? "";
  return isIP(inside) ? inside : text;
}

/**
 * Returns an IPv4 address, also of one that is embedded in IPv6. For any other IPv6 address, returns its network of 64
 * bits, within which one user has any number of addresses. `text`: may have a port behind the address.
 */
export function askerOf(text: string): string {
  const address = bareAddress(text);
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return UNKNOWN;
  const groups = groupsOf(address);
  if (EMBEDDING.includes(groups.slice(0, 6).map(inHex).join(":")))
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join(".");
  return `${groups.slice(0, NETWORK_GROUPS).map(inHex).join(":")}::/64`;
}

/** Returns whether an asker is known by its address alone: the id of a principal has an underscore behind its kind. */
export function isAnonymous(asker: string): boolean {
  return !asker.includes("_");
}

const inHex = (group: number) => group.toString(16);

/** Returns the eight 16-bit groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [before = "", after] = (address.split("%")[0] ?? "").split("::");
  const [first, last] = [someGroups(before), someGroups(after ?? "")];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

function someGroups(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (!group.includes(".")) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
