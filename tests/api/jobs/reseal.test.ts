import { randomBytes } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { seal, unseal } from "@/server/db/sealed";
import { env, provideEnv } from "@/server/env";
import { startResealing } from "@/server/jobs/reseal";
import { reseal } from "@/server/store/sealing/reseal";
import { BATCH, sealedValues } from "@/server/store/sealing/reseal.sql";
import { seedAccount, seedApplication, seedChannels } from "@/tests/rig/seed";
import { ownDatabase } from "../own-database";

ownDatabase();

const [one, two] = ["one", "two"].map((kid) => `${kid}:${randomBytes(32).toString("base64")}`);
const ring = (...keys: (string | undefined)[]) =>
  provideEnv({ BASE_URL: env().BASE_URL, DATABASE_URL: env().DATABASE_URL, ENCRYPTION_KEYS: keys.join(",") });
const always = () => true;
const channels = BATCH + 10;

const kids = async (table: string, column: string) =>
  (
    await db().query<{ kid: string }>(
      `SELECT DISTINCT split_part(${column}, '.', 2) AS kid FROM ${table} WHERE ${column} IS NOT NULL`,
    )
  ).map(({ kid }) => kid);

beforeAll(async () => {
  ring(one);
  const { accountId } = await seedAccount(db(), await seedApplication(db()));
  await seedChannels(db(), {
    accountId,
    urls: Array.from({ length: channels }, (_, i) => `https://r${i}.acme.io/hook`),
  });
});

it("knows every column that is sealed", async () => {
  const columns = await db().query<{ at: string }>(
    `SELECT table_name || '.' || column_name AS at FROM information_schema.columns
     WHERE table_schema = 'public' AND (column_name LIKE '%sealed%' OR column_name IN ('credential', 'pending'))`,
  );
  const known = sealedValues.map(({ table, column }) => `${table}.${column}`);
  /** These live for minutes. */
  const shortLived = ["codes.pending", "provider_sign_ins.sealed"];
  expect(columns.map(({ at }) => at).sort()).toEqual([...known, ...shortLived].sort());
});

it("seals with the current key what another one sealed, in more than one batch", async () => {
  ring(two, one);
  expect((await reseal(db(), "two", always)).count).toBeGreaterThan(channels);
  expect(await kids("channels", "sealed_secret")).toEqual(["two"]);
  expect(await kids("client_secrets", "sealed")).toEqual(["two"]);
  ring(two);
  const rows = await db().prisma.channel.findMany();
  for (const { id, sealedSecret } of rows)
    expect(unseal(sealedSecret, { table: "channels", column: "sealed_secret", row: id })).toMatch(/^whsec/);
});

it("has nothing to do a second time", async () => {
  ring(two, one);
  expect(await reseal(db(), "two", always)).toEqual({ count: 0, unreadable: 0 });
});

it("keeps the credential of access that is to end readable as its profile's", async () => {
  ring(one);
  const place = { table: "profiles", column: "credential", row: "pro_1" };
  const data = { profileId: "pro_1", subject: "s", credential: seal("hush", place), dueAt: new Date() };
  await db().prisma.providerRevocation.create({ data: { ...data, provider: "google" } });
  ring(two, one);
  expect(await reseal(db(), "two", always)).toEqual({ count: 1, unreadable: 0 });
  const row = await db().prisma.providerRevocation.findUniqueOrThrow({ where: { profileId: "pro_1" } });
  ring(two);
  expect(unseal(row.credential, place)).toBe("hush");
});

it("looks again for what a process that was not restarted yet has sealed since", async () => {
  ring(two, one);
  const end = startResealing(5);
  try {
    const { id } = await db().prisma.channel.findFirstOrThrow();
    for (const secret of ["whsec_first", "whsec_second"]) {
      const place = { table: "channels", column: "sealed_secret", row: id };
      ring(one, two);
      const sealedSecret = seal(secret, place);
      ring(two, one);
      await db().prisma.channel.update({ where: { id }, data: { sealedSecret } });
      await expect.poll(() => kids("channels", "sealed_secret")).toEqual(["two"]);
    }
  } finally {
    await end();
  }
});

it("counts what no key opens, and leaves it", async () => {
  ring(two);
  const channel = await db().prisma.channel.findFirstOrThrow();
  const foreign = channel.sealedSecret.replace(".two.", ".lost.");
  await db().prisma.channel.update({ where: { id: channel.id }, data: { sealedSecret: foreign } });
  expect(await reseal(db(), "two", always)).toEqual({ count: 0, unreadable: 1 });
  expect((await db().prisma.channel.findUniqueOrThrow({ where: { id: channel.id } })).sealedSecret).toBe(foreign);
});

it("ends when it is told to", async () => {
  ring(one, two);
  expect(await reseal(db(), "one", () => false)).toEqual({ count: 0, unreadable: 0 });
});
