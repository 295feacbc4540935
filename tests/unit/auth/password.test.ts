import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { beforeEach, describe, expect, it } from "vitest";
import { Overloaded } from "@/server/auth/overloaded";
import { hashPassword, NOBODYS_HASH, verifyPassword } from "@/server/auth/password";

/** The passwords in the order in which they are derived. They end in any: two run beside each other. */
const begun: string[] = [];

beforeEach(() => {
  begun.length = 0;
  const { scrypt } = crypto;
  const noted = (password: string, ...others: unknown[]) => {
    begun.push(password);
    return Reflect.apply(scrypt, crypto, [password, ...others]);
  };
  Object.assign(crypto, { scrypt: noted });
  syncBuiltinESMExports(); // also for modules that other tests have loaded before
  return () => {
    Object.assign(crypto, { scrypt });
    syncBuiltinESMExports();
  };
});

describe("a password", () => {
  it("is the one that was hashed, and no other is", async () => {
    const stored = await hashPassword("correct horse battery", { key: "opr_1", isKnown: true });
    expect(await verifyPassword("correct horse battery", stored, { key: "a", isKnown: false })).toBe(true);
    expect(await verifyPassword("correct horse batterY", stored, { key: "a", isKnown: false })).toBe(false);
  });
});

describe("sixty tries of one stranger at once", () => {
  it("make nobody else wait for more than one of them; what would wait longer is refused with the time to wait", async () => {
    const ended: string[] = [];
    const refused: unknown[] = [];
    const attempt = (from: string) =>
      verifyPassword(from, NOBODYS_HASH, { key: from, isKnown: false }).then(
        () => void ended.push(from),
        (error: unknown) => void refused.push(error),
      );
    const flood = Array.from({ length: 60 }, () => attempt("stranger"));
    const admin = attempt("admin");
    await Promise.all([...flood, admin]);
    expect(refused).toHaveLength(61 - 12);
    for (const error of refused) expect(error).toMatchObject({ retryAfter: 3 });
    expect(refused.every((error) => error instanceof Overloaded)).toBe(true);
    // Two run at once, then turns go round: the stranger's third and the admin's first.
    expect(begun.slice(0, 4)).toEqual(["stranger", "stranger", "stranger", "admin"]);
    expect(ended.filter((from) => from === "admin")).toHaveLength(1);
  });
});

it("strangers of any number of addresses do not keep out an operator who has signed in from this one before", async () => {
  const attempt = (key: string, isKnown: boolean) => verifyPassword(key, NOBODYS_HASH, { key, isKnown });
  const flood = Array.from({ length: 60 }, (_, i) => attempt(`stranger ${i}`, false).catch(() => undefined));
  const operator = attempt("operator", true);
  await Promise.all([...flood, operator]);
  expect(begun.slice(0, 3)).toEqual(["stranger 0", "stranger 1", "operator"]);
});
