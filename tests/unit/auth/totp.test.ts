import { describe, expect, it } from "vitest";
import { qrCode } from "@/server/auth/qr-code";
import { newRecoveryCodes, newTotpSecret, stepOfCode, totpUri } from "@/server/auth/totp";
import { typedCode } from "@/server/domain/second-factor";

/** "12345678901234567890" in Base32, the secret of RFC 6238's appendix B. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

describe("a code", () => {
  /** Of the appendix's eight digits, the last six. */
  it.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("at %d s is %s (RFC 6238, appendix B)", (seconds, code) => {
    expect(stepOfCode(SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  it("is accepted in its own 30 seconds and those before and after, with the step that it belongs to", () => {
    const step = Math.floor(1_234_567_890 / 30);
    const at = (steps: number) => stepOfCode(SECRET, "005924", (step + steps) * 30_000);
    expect([-2, -1, 0, 1, 2].map(at)).toEqual([null, step, step, step, null]);
    expect(stepOfCode(SECRET, "005924", (step + 2) * 30_000 - 1)).toBe(step);
  });

  it("of another secret is wrong", () => {
    expect(stepOfCode(newTotpSecret(), "005924", 1_234_567_890_000)).toBeNull();
  });
});

it("secrets have 160 bits and recovery codes 80, each another", () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(newTotpSecret());
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  expect(codes.map((code) => typedCode(code)?.kind)).toEqual(Array.from({ length: 10 }, () => "recovery"));
});

it("an authenticator app gets the address, the host and the secret", () => {
  const uri = new URL(totpUri(SECRET, { email: "ada@acme.io", host: "cal.acme.io" }));
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    "otpauth:",
    "totp",
    "/Almanac (cal.acme.io):ada@acme.io",
  ]);
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    ...{ issuer: "Almanac (cal.acme.io)", secret: SECRET },
    ...{ algorithm: "SHA1", digits: "6", period: "30" },
  });
});

it("a QR code has its quiet zone and the three finder patterns, and nothing but squares", () => {
  const { size, path } = qrCode("otpauth://totp/x?secret=ABC");
  expect(path).toMatch(/^(M\d+ \d+h1v1h-1z)+$/);
  const dark = new Set([...path.matchAll(/M(\d+) (\d+)/g)].map(([, x, y]) => `${x},${y}`));
  const row = (x: number, y: number) =>
    Array.from({ length: 7 }, (_, i) => (dark.has(`${x + i},${y}`) ? 1 : 0)).join("");
  for (const [x, y] of [
    [4, 4],
    [size - 11, 4],
    [4, size - 11],
  ] as const) {
    expect([row(x, y), row(x, y + 1), row(x, y + 3)]).toEqual(["1111111", "1000001", "1011101"]);
  }
  const edge = [...dark].flatMap((at) => at.split(",").map(Number));
  expect([Math.min(...edge), Math.max(...edge)]).toEqual([4, size - 5]);
});
