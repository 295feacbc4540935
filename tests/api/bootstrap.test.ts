import pino from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { context } from "@/server/context";
import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { bootstrap } from "@/server/services/bootstrap";
import { eraseApplications } from "@/server/store/applications/erase";
import { ownDatabase } from "./own-database";
import { call } from "./service";
import { newOperator } from "./staff/staff-caller";

ownDatabase();

const acme = {
  ...{ name: "Acme", client_id: "acme", client_secret: "acme-secret", redirect_uris: [] },
  ...{ edit_foreign_events: false, compatibility_mode: false, plan: "standard" as const },
  ...{ mcp_writes: false, public_client: false, connect_success_page: false },
};
let warnings: string[] = [];
beforeEach(() => {
  warnings = [];
  context.log = pino({ base: null }, { write: (line) => warnings.push(line) });
});
afterEach(() => {
  context.log = undefined;
});

const start = (...applications: (typeof acme)[]) =>
  bootstrap({ ...env(), BOOTSTRAP_APPLICATIONS: applications }, { isEmbedded: true });
const clientIds = async () =>
  (await db().prisma.application.findMany({ where: { name: { not: "Test" } } })).map(({ clientId }) => clientId).sort();
const open = (client_id: string) =>
  call("POST", "/v1/application_calendars", {
    json: { client_id, client_secret: "acme-secret", application_calendar_id: "room" },
  });

async function remove(clientId: string): Promise<void> {
  const { id, name } = await db().prisma.application.findUniqueOrThrow({ where: { clientId } });
  await (await newOperator("admin")).api.applications.delete({ id, name });
}

async function erase(): Promise<void> {
  while (await eraseApplications(db(), Date.now() as never, () => true));
}

it("a start registers the configured applications again, but none that was deleted", async () => {
  const other = { ...acme, name: "Other", client_id: "other" };
  await start(acme, other);
  const switches = { edit_foreign_events: true, mcp_writes: true, public_client: true, connect_success_page: true };
  await start({ ...acme, name: "Acme Scheduling", ...switches }, other);
  const where = { editForeignEvents: true, mcpWrites: true, publicClient: true, connectSuccessPage: true };
  const switched = await db().prisma.application.findMany({ where });
  expect(switched.map(({ clientId }) => clientId)).toEqual(["acme"]);
  expect(await clientIds()).toEqual(["acme", "other"]);
  expect(warnings).toEqual([]);
  expect((await open("acme")).status).toBe(200);

  await remove("acme");
  await start(acme, other); // it is not erased yet
  expect((await open("acme")).status).toBe(401);
  await erase();
  await start(acme, other);
  expect(await clientIds()).toEqual(["other"]);
  expect((await open("acme")).status).toBe(401);
  expect(warnings).toHaveLength(2);
  expect(JSON.parse(warnings[1] ?? "")).toMatchObject({
    clientId: "acme",
    msg: expect.stringContaining("was deleted, so it is not registered"),
  });

  await start({ ...acme, client_id: "acme-2" }, other);
  expect(await clientIds()).toEqual(["acme-2", "other"]);
});

it("a start makes a demo application where there never was any, and not after the last one was deleted", async () => {
  await db().prisma.application.deleteMany();
  await db().prisma.deletedClientId.deleteMany();
  const { demo } = await start();
  expect(demo?.clientId).toMatch(/^demo_/);
  await remove(demo?.clientId ?? "");
  await erase();
  expect((await start()).demo).toBeUndefined();
  expect(await clientIds()).toEqual([]);
});

const onServer = (more: Partial<ReturnType<typeof env>> = {}) =>
  bootstrap({ ...env(), ...more }, { isEmbedded: false });

it("a start on a PostgreSQL server makes nothing with a secret that nobody asked for, and says what to set", async () => {
  await db().prisma.application.deleteMany();
  await db().prisma.deletedClientId.deleteMany();
  await db().prisma.operator.deleteMany();
  expect(await onServer()).toEqual({ needsOperator: true });
  expect(await onServer({ ADMIN_EMAIL: "ada@acme.io" })).toEqual({ needsOperator: true });
  expect(await clientIds()).toEqual([]);
  expect(await db().prisma.operator.count()).toBe(0);
});

it("a start on a PostgreSQL server adds the configured operator, once", async () => {
  await db().prisma.operator.deleteMany();
  const configured = { ADMIN_EMAIL: "ada@acme.io", ADMIN_PASSWORD: "correct-horse-battery" };
  expect(await onServer(configured)).toEqual({ operator: { email: "ada@acme.io", password: null } });
  expect(await onServer(configured)).toEqual({});
  expect(await onServer()).toEqual({});
  expect(await db().prisma.operator.count()).toBe(1);
});
