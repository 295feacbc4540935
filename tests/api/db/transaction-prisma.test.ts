import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, type Database } from "@/server/db/client";
import { testDatabase } from "../../fakes/test-database";

let db: Database;
let close: () => Promise<void>;

beforeAll(async () => {
  const database = await testDatabase();
  db = connect(database.url, { max: 1 });
  close = async () => {
    await db.close();
    await database.close();
  };
}, 300_000);

afterAll(() => close());

let applications = 0;

function application() {
  applications += 1;
  const id = `app_${applications}`;
  return { id, clientId: `client_${applications}`, name: "Acme" };
}

const nameOf = async (id: string) => (await db.prisma.application.findUnique({ where: { id } }))?.name ?? null;

it("Prisma and SQL see each other's writes in a transaction, on its one connection", async () => {
  const made = application();
  const rows = await db.transaction(async (query, prisma) => {
    await prisma.application.create({ select: { id: true }, data: made });
    await query("UPDATE applications SET name = 'Acme 2' WHERE id = $1", [made.id]);
    return [await prisma.application.findUnique({ where: { id: made.id } }), db.connections().total];
  });
  expect(rows).toMatchObject([{ name: "Acme 2" }, 1]);
  expect(await nameOf(made.id)).toBe("Acme 2");
});

it("what fails takes back what Prisma wrote", async () => {
  const made = application();
  const failed = db.transaction(async (_, prisma) => {
    await prisma.application.create({ select: { id: true }, data: made });
    throw new Error("refused");
  });
  await expect(failed).rejects.toThrow("refused");
  expect(await nameOf(made.id)).toBeNull();
});

it("a transaction in which a Prisma call collides begins again", async () => {
  const made = application();
  const raise = "DO $$ BEGIN RAISE EXCEPTION 'collided' USING ERRCODE = '40001'; END $$";
  let tries = 0;
  await db.transaction(async (_, prisma) => {
    await prisma.application.create({ select: { id: true }, data: made });
    tries += 1;
    if (tries < 3) await prisma.$executeRawUnsafe(raise);
  });
  expect(tries).toBe(3);
  expect(await nameOf(made.id)).toBe("Acme");
});

it("a Prisma call of several statements is refused inside a transaction", async () => {
  const made = application();
  const failed = db.transaction(async (_, prisma) => {
    await prisma.application.create({ data: { ...made, redirectUris: { create: { uri: "https://acme.io" } } } });
  });
  await expect(failed).rejects.toThrow("one statement");
  expect(await nameOf(made.id)).toBeNull();
});

it("what Prisma writes in a transaction is counted, and what it reads is not", async () => {
  let rows = 0;
  const counting = db.counting((n) => {
    rows += n;
  });
  await counting.transaction(async (_, prisma) => {
    await prisma.application.createMany({ data: [application(), application()] });
    await prisma.application.findMany();
  });
  expect(rows).toBe(2);
});
