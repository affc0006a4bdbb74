/**
 * The addresses to which a request may go that a tenant named: public ones, and those of networks that the operator has
 * allowed. A name says nothing: its addresses are looked at each time.
 */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A network: an address and the number of its bits that all addresses of the network have. */
export type Network = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/** The part of IPv6 that is assigned (RFC 4291, IANA's registry); nothing outside of it is public. */
const GLOBAL_UNICAST: Network = [ipaddr.parse("2000::"), 3];

/**
 * Ranges that the library takes for public ones: benchmarks (RFC 2544), the protocol assignments of IPv6 (RFC 2928),
 * and its second range for documentation (RFC 9637).
 */
const NOT_PUBLIC: readonly Network[] = [
  [ipaddr.parse("198.18.0.0"), 15],
  [ipaddr.parse("2001::"), 23],
  [ipaddr.parse("3fff::"), 20],
];

/** Returns a network of the form `address/bits`, or of one address; null for any other text. */
export function networkOf(text: string): Network | null {
  const [address = "", bits, ...more] = text.split("/");
  if (isIP(address) === 0 || address.includes("%") || more.length > 0) return null;
  const parsed = ipaddr.parse(address);
  const most = parsed.kind() === "ipv4" ? 32 : 128;
  if (bits === undefined) return [parsed, most];
  return /^(?:0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= most ? [parsed, Number(bits)] : null;
}

/** Returns whether an address is in one of some networks. One of IPv4 inside of IPv6 is that of IPv4. */
export function isIn(address: string, networks: readonly Network[]): boolean {
  const parsed = ipaddr.process(address);
  return networks.some(([network, bits]) =>
    parsed instanceof ipaddr.IPv4
      ? network instanceof ipaddr.IPv4 && parsed.match(network, bits)
      : network instanceof ipaddr.IPv6 && parsed.match(network, bits),
  );
}

/**
 * Returns whether anybody may be sent to an address: not a private one, nor one of this machine, of its link, of a
 * provider's inside, of a translator or tunnel, or of a reserved range.
 */
export function isPublic(address: string): boolean {
  if (isIP(address) === 0 || address.includes("%")) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast" || isIn(address, NOT_PUBLIC)) return false;
  return parsed.kind() === "ipv4" || isIn(address, [GLOBAL_UNICAST]);
}
