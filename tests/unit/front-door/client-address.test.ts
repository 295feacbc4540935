import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { readEnv } from "@/server/env";
import { clientAddress } from "@/server/front-door/client-address";

/** The address of a request that came from `socket` with this X-Forwarded-For. */
function addressOf(
  socket: string | undefined,
  forwarded?: string,
  trusted = "10.0.0.0/8, 127.0.0.1, fd00::/8",
): string {
  const req = { socket: { remoteAddress: socket }, headers: { "x-forwarded-for": forwarded } };
  return clientAddress(req as unknown as IncomingMessage, readEnv({ TRUSTED_PROXIES: trusted }).TRUSTED_PROXIES);
}

describe("the address of a caller", () => {
  it("is the socket's, in one spelling, whatever headers say, where no proxy is trusted", () => {
    expect(addressOf("10.0.0.1", "203.0.113.7", "")).toBe("10.0.0.1");
    expect(addressOf("::ffff:192.0.2.1", "203.0.113.7", "")).toBe("192.0.2.1");
    expect(addressOf("2001:db8::1", undefined, "")).toBe("2001:db8::1");
    expect(addressOf("fe80::1%eth0", undefined, "")).toBe("fe80::1%eth0");
    expect(addressOf(undefined, undefined, "")).toBe("");
  });

  it("is the socket's where that is no trusted proxy", () => {
    expect(addressOf("192.0.2.1", "203.0.113.7")).toBe("192.0.2.1");
    expect(addressOf("2001:db8::1", "203.0.113.7")).toBe("2001:db8::1");
    expect(addressOf(undefined, "203.0.113.7")).toBe("");
  });

  it.each([
    ["one entry", "203.0.113.7", "203.0.113.7"],
    ["a forged entry left of it", "198.51.100.9, 203.0.113.7", "203.0.113.7"],
    ["a forged entry that looks like a proxy", "10.9.9.9, 203.0.113.7", "203.0.113.7"],
    ["more proxies to its right", "198.51.100.9,203.0.113.7 , 10.0.0.2,fd00::2", "203.0.113.7"],
    ["a port", "203.0.113.7:51234", "203.0.113.7"],
    ["IPv6", "2001:DB8:0::7", "2001:db8::7"],
    ["IPv6 in brackets", "[2001:db8::7]", "2001:db8::7"],
    ["IPv6 in brackets with a port", "[2001:db8::7]:443", "2001:db8::7"],
    ["IPv4 mapped into IPv6", "::ffff:203.0.113.7", "203.0.113.7"],
    ["a proxy mapped into IPv6", "203.0.113.7, ::ffff:10.0.0.2", "203.0.113.7"],
    ["proxies alone: the farthest of them", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["garbage left of it", "<script>, 203.0.113.7", "203.0.113.7"],
  ])("is the last of X-Forwarded-For that is no trusted proxy: %s", (_, forwarded, address) => {
    for (const socket of ["10.0.0.1", "::ffff:10.0.0.1", "127.0.0.1", "fd00::1"]) {
      expect(addressOf(socket, forwarded)).toBe(address);
    }
  });

  it.each([
    undefined,
    "",
    "unknown",
    "203.0.113.7, unknown",
    "203.0.113.7,",
    "203.0.113.7, unknown, 10.0.0.2",
    "203.0.113",
    "203.0.113.07",
    "[203.0.113.7",
    "2001:db8::7]:443",
    "fe80::1%eth0",
    "203.0.113.7:port",
    "x".repeat(15_000),
  ])("is the proxy's where it says nothing sound: %j", (forwarded) => {
    expect(addressOf("10.0.0.1", forwarded)).toBe("10.0.0.1");
  });
});
