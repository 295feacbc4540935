import { beforeEach, expect, it } from "vitest";
import { seal } from "@/server/db/sealed";
import { provideEnv } from "@/server/env";
import { opened } from "@/server/webhooks/secrets";

const MOST_KEPT = 1_000;
const key = (kid: string, byte: number) => `${kid}:${Buffer.alloc(32, byte).toString("base64")}`;
const placeOf = (row: string) => ({ table: "channels", column: "sealed_secret", row });

// Vite puts its own BASE_URL into the environment of every test.
const keep = (ring: string) => provideEnv({ ENCRYPTION_KEYS: ring, BASE_URL: "http://api.almanac.localhost" });

beforeEach(() => {
  keep(key("one", 1));
});

/** Sealed secrets of so many channels. */
function secretsOf(name: string, count: number) {
  return Array.from({ length: count }, (_, i) => {
    const row = `${name}${i}`;
    const sealed = seal(`secret of ${row}`, placeOf(row));
    return { secret: `secret of ${row}`, open: () => opened(sealed, placeOf(row)) };
  });
}

/** Those that are open still where the key is not any more. */
function openWithoutKey(secrets: ReturnType<typeof secretsOf>): string[] {
  keep(key("other", 2));
  return secrets.flatMap(({ open }) => {
    try {
      return [open()];
    } catch {
      return [];
    }
  });
}

it("the thousand secrets that were used last stay open", () => {
  const [used, unused, ...others] = secretsOf("a", MOST_KEPT);
  if (!used || !unused) throw new Error("there are none");
  for (const one of [used, unused, ...others]) expect(one.open()).toBe(one.secret);
  expect(used.open()).toBe(used.secret);
  const [next] = secretsOf("b", 1);
  expect(next?.open()).toBe("secret of b0");
  expect(openWithoutKey([unused])).toEqual([]);
  expect(openWithoutKey([used, ...others])).toHaveLength(MOST_KEPT - 1);
});

it("one that is used again and again puts out no other", () => {
  const secrets = secretsOf("c", MOST_KEPT);
  for (const { open } of secrets) open();
  for (let i = 0; i < 5; i++) secrets.at(-1)?.open();
  expect(openWithoutKey(secrets)).toHaveLength(MOST_KEPT);
});
