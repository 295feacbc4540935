import { describe, expect, it } from "vitest";
import { isPublicAddress } from "@/server/domain/net/public-address";

/** Each closed range with the last address below it and the first above it; null where a neighbour is closed too. */
const closedRanges: [string, string, string | null, string | null][] = [
  ["0.0.0.0", "0.255.255.255", null, "1.0.0.0"],
  ["10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
  ["100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
  ["127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
  ["168.63.129.16", "168.63.129.16", "168.63.129.15", "168.63.129.17"],
  ["169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
  ["172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
  ["192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"],
  ["192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"],
  ["192.31.196.0", "192.31.196.255", "192.31.195.255", "192.31.197.0"],
  ["192.52.193.0", "192.52.193.255", "192.52.192.255", "192.52.194.0"],
  ["192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"],
  ["192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
  ["192.175.48.0", "192.175.48.255", "192.175.47.255", "192.175.49.0"],
  ["198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
  ["198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"],
  ["203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"],
  ["224.0.0.0", "239.255.255.255", "223.255.255.255", null],
  ["240.0.0.0", "255.255.255.255", null, null],
  ["::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null, "2000::"],
  ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"],
  ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"],
  ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"],
  [
    "2620:4f:8000::",
    "2620:4f:8000:ffff:ffff:ffff:ffff:ffff",
    "2620:4f:7fff:ffff:ffff:ffff:ffff:ffff",
    "2620:4f:8001::",
  ],
  ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"],
  ["4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null],
];

describe("a range that is not public", () => {
  it.each(closedRanges)("from %s to %s is closed, and open below (%s) and above (%s)", (first, last, below, above) => {
    expect([first, last].map(isPublicAddress)).toEqual([false, false]);
    const neighbours = [below, above].filter((address) => address !== null);
    expect(neighbours.filter((address) => !isPublicAddress(address))).toEqual([]);
  });

  it.each(closedRanges.filter(([first]) => first.includes(".")))(
    "from %s to %s is closed when it is mapped too",
    (first, last) => {
      expect([first, last].map((address) => isPublicAddress(`::ffff:${address}`))).toEqual([false, false]);
    },
  );
});

describe("an address that is public", () => {
  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "93.184.215.14",
    "100.128.0.1",
    "172.32.0.1",
    "192.0.66.1",
    "198.20.0.1",
    "223.255.255.254",
    "2001:4860:4860::8888",
    "2606:4700:4700::1111",
    "2a00:1450:4001:82a::200e",
    "2606:2800:21F:CB07:6820:80DA:AF6B:8B2C",
    "::ffff:8.8.8.8",
    "::ffff:808:808",
    "0:0:0:0:0:FFFF:0808:0808",
  ])("%s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe("an address that only this machine or network has", () => {
  it.each([
    ["loopback", "127.0.0.1"],
    ["loopback, IPv6", "::1"],
    ["loopback, written out", "0:0:0:0:0:0:0:1"],
    ["unspecified", "0.0.0.0"],
    ["unspecified, IPv6", "::"],
    ["cloud metadata", "169.254.169.254"],
    ["cloud metadata of carrier space", "100.100.100.200"],
    ["cloud metadata, IPv6", "fd00:ec2::254"],
    ["unique local", "fc00::1"],
    ["unique local", "fdff:ffff::1"],
    ["link-local", "fe80::1"],
    ["link-local, last", "febf:ffff::1"],
    ["site-local", "fec0::1"],
    ["multicast, IPv6", "ff02::1"],
    ["broadcast", "255.255.255.255"],
    ["IETF protocol assignments", "192.0.0.9"],
    ["discard-only", "100::1"],
    ["segment routing", "5f00::1"],
  ])("%s: %s", (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("an address that carries another one", () => {
  it.each([
    ["mapped loopback", "::ffff:127.0.0.1"],
    ["mapped loopback, as URLs write it", "::ffff:7f00:1"],
    ["mapped loopback, written out", "0:0:0:0:0:ffff:7f00:0001"],
    ["mapped metadata", "::ffff:a9fe:a9fe"],
    ["mapped unspecified", "::ffff:0:0"],
    ["IPv4-compatible loopback", "::127.0.0.1"],
    ["IPv4-compatible loopback, as URLs write it", "::7f00:1"],
    ["IPv4-compatible, of a public address", "::808:808"],
    ["SIIT", "::ffff:0:127.0.0.1"],
    ["SIIT, of a public address", "::ffff:0:808:808"],
    ["NAT64", "64:ff9b::a9fe:a9fe"],
    ["NAT64, of a public address", "64:ff9b::808:808"],
    ["NAT64 of a network", "64:ff9b:1::7f00:1"],
    ["6to4", "2002:7f00:1::"],
    ["6to4, of a public address", "2002:808:808::1"],
    ["Teredo", "2001:0:7f00:1::1"],
  ])("%s: %s", (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("what is not an address in its plain spelling", () => {
  it.each([
    "",
    " ",
    "hooks.acme.io",
    "localhost",
    "8.8.8",
    "8.8.2056",
    "134744072",
    "0x8.0x8.0x8.0x8",
    "0x08080808",
    "010.8.8.8",
    "08.8.8.8",
    "8.8.8.8.",
    "8.8.8.8 ",
    " 8.8.8.8",
    "8.8.8.8\n",
    "8.8.8.256",
    "8.8.8.8:443",
    "8.8.8.8/32",
    "[2606:4700:4700::1111]",
    "2606:4700:4700::1111%eth0",
    "2606:4700:4700::1111%",
    "2606:4700:4700::1111/128",
    "2606:4700:4700::1111\n",
    "2606:4700::4700::1111",
    "2606:4700:4700:0:0:0:0:0:1111",
    "fe80::1%1",
    "::ffff:8.8.8.8%1",
    "::ffff:010.8.8.8",
    "::ffff:8.8.8.8.8",
    "⑧.⑧.⑧.⑧",
  ])("%j", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
