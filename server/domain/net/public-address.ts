import ipaddr from "ipaddr.js";

// A CommonJS package: Node finds its names on the default import only.
const { IPv4, IPv6 } = ipaddr;

/**
 * Checks that an address is public: the only kind that a stranger's URL may reach. Accepts an IPv4 address as four
 * decimal numbers or an IPv6 address in any spelling, without brackets or port; everything else (a name, a short or
 * octal form, a zone id) is not public. An IPv4-mapped address is judged as IPv4. An allow list: IPv4 outside the
 * special ranges, IPv6 inside global unicast only (ADR 14).
 */
export function isPublicAddress(address: string): boolean {
  if (IPv4.isValidFourPartDecimal(address)) return isPublicV4(IPv4.parse(address));
  if (!/^[0-9a-f:.]+$/i.test(address) || !IPv6.isValid(address)) return false;
  const parsed = IPv6.parse(address);
  return parsed.isIPv4MappedAddress() ? isPublicV4(parsed.toIPv4Address()) : isPublicV6(parsed);
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return !closedV4.some((range) => address.match(range));
}

function isPublicV6(address: ipaddr.IPv6): boolean {
  return address.match(globalUnicast) && !closedV6.some((range) => address.match(range));
}

/** IANA's special-purpose registry, multicast, and one address that a cloud serves itself. */
const closedV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10", // carrier NAT
  "127.0.0.0/8",
  "168.63.129.16/32", // Azure's wire server, inside a public range
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16",
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4",
  "240.0.0.0/4",
].map((range) => IPv4.parseCIDR(range));

const globalUnicast = IPv6.parseCIDR("2000::/3");

/** Special ranges inside global unicast. NAT64, discard, private and link-local ranges are outside it. */
const closedV6 = [
  "2001::/23", // Teredo, benchmarks, AMT, AS112, ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "2620:4f:8000::/48", // AS112
  "3fff::/20", // documentation
].map((range) => IPv6.parseCIDR(range));
