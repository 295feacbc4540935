import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { seal, unseal } from "@/server/db/sealed";
import { provideEnv } from "@/server/env";

const [first, second] = ["first", "second"].map((kid) => `${kid}:${randomBytes(32).toString("base64")}`);
const keys = (...ring: (string | undefined)[]) =>
  provideEnv({ BASE_URL: "http://api.almanac.localhost", ENCRYPTION_KEYS: ring.join(",") });
const column = { table: "channels", column: "sealed_secret", row: "chn_1" };

describe("a sealed value", () => {
  it("opens with the key that sealed it, wherever that one stands in the ring", () => {
    keys(first);
    const sealed = seal("whsec_1", column);
    keys(second, first);
    expect(unseal(sealed, column)).toBe("whsec_1");
  });

  it("is sealed with the first key of the ring", () => {
    keys(second, first);
    const sealed = seal("whsec_1", column);
    keys(second);
    expect(unseal(sealed, column)).toBe("whsec_1");
  });

  it("does not open without its key", () => {
    keys(first);
    const sealed = seal("whsec_1", column);
    keys(second);
    expect(() => unseal(sealed, column)).toThrow("cannot be opened with the keys of this process");
  });

  it.each([
    { ...column, row: "chn_2" },
    { ...column, column: "callback_url" },
    { ...column, table: "grants" },
  ])("does not open as $table.$column of $row", (other) => {
    keys(first);
    const sealed = seal("whsec_1", column);
    expect(() => unseal(sealed, other)).toThrow();
  });
});
