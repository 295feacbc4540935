import ipaddr from "ipaddr.js";

// A CommonJS package: Node finds its names on the default import only.
const { IPv4, IPv6 } = ipaddr;

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Addresses that begin with the same bits. */
export type Range = readonly [Address, number];

/** Parses one address or a CIDR range. Returns null for anything else, including the range of all addresses. */
export function rangeOf(text: string): Range | null {
  const [given = "", bits, ...rest] = text.split("/");
  const mapped = IPv6.isValid(given) && IPv6.parse(given).isIPv4MappedAddress();
  const address = addressOf(given);
  if (!address || rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return null;
  const longest = address.kind() === "ipv4" ? 32 : 128;
  const length = bits === undefined ? longest : Number(bits) - (mapped ? 96 : 0);
  return length >= 1 && length <= longest ? [address, length] : null;
}

/** Checks whether an address, normalized by `plainAddress`, is in one of the ranges. */
export function isWithin(text: string, ranges: readonly Range[]): boolean {
  const address = addressOf(text);
  return (
    address !== null && ranges.some(([first, bits]) => first.kind() === address.kind() && address.match(first, bits))
  );
}

/** Normalizes an address, or returns null if it is none. IPv4-mapped addresses become IPv4. */
export function plainAddress(text: string): string | null {
  return addressOf(text)?.toString() ?? null;
}

const SUBNET_BITS = 64;

/**
 * Returns the key that counts an address as one client: IPv4 addresses unchanged, and for IPv6 the /64 that every
 * subscriber gets at least (RFC 6177). Expects the spelling of `plainAddress`; any other text is its own key.
 */
export function addressKey(text: string): string {
  const address = addressOf(text);
  if (!(address instanceof IPv6)) return text;
  const bytes = address.toByteArray().fill(0, SUBNET_BITS / 8);
  return `${new IPv6(bytes).toString()}/${SUBNET_BITS}`;
}

function addressOf(text: string): Address | null {
  if (IPv4.isValidFourPartDecimal(text)) return IPv4.parse(text);
  if (!/^[0-9a-f:.]+$/i.test(text) || !IPv6.isValid(text)) return null;
  const parsed = IPv6.parse(text);
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed;
}
