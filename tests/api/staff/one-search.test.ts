import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { changeAccount } from "../../fakes/stored";
import { ownDatabase } from "../own-database";
import { type Owned, oneApplication } from "./one-application";
import { newOperator, type Operator } from "./staff-caller";

ownDatabase();

let staff: Operator;
let owned: Owned;
let other: Owned;

beforeAll(async () => {
  staff = await newOperator();
  other = await oneApplication();
  owned = await oneApplication();
});

const lists = {
  accounts: async (q: string) => (await staff.api.accounts.list({ q })).items.map(({ id }) => id),
  endpoints: async (q: string) => (await staff.api.endpoints.list({ q })).items.map(({ id }) => id),
  deliveries: async (q: string) => (await staff.api.deliveries.list({ q })).items.map(({ id }) => id),
  requests: async (q: string) => (await staff.api.requests.list({ id: q })).items.map(({ requestId }) => requestId),
};

const things = { accounts: "account", endpoints: "channel", deliveries: "delivery", requests: "requestId" } as const;

describe.each(Object.keys(lists) as (keyof typeof lists)[])("the one search of %s", (list) => {
  const thing = things[list];
  const own = () => owned[thing];

  it.each(["application", "account", "profile", "email", "host", "delivery"] as const)(
    "understands the %s",
    async (name) => {
      const found = await lists[list](owned[name]);
      expect(found).toContain(own());
      expect(found).not.toContain(other[thing]);
    },
  );

  it("understands a callback URL with a slash at its end that the stored one lacks, and the other way round", async () => {
    expect(await lists[list](`https://${owned.host}/hook/`)).toContain(own());
    expect(await lists[list](`https://${owned.host}/hook/?token=a#b`)).toContain(own());
    expect(await lists[list](`https://${owned.host}/ho/`)).toEqual([]);
    expect(await lists[list](`https://${owned.host}/hook?token=${"a".repeat(1_000)}`)).toContain(own());
    await db().prisma.channel.update({
      where: { id: owned.channel },
      data: { callbackUrl: `https://${owned.host}/hook/` },
    });
    try {
      expect(await lists[list](`https://${owned.host}/hook`)).toContain(own());
    } finally {
      await db().prisma.channel.update({
        where: { id: owned.channel },
        data: { callbackUrl: `https://${owned.host}/hook` },
      });
    }
  });

  it("understands how an email begins, with an @ or without one, and an email that begins like an id", async () => {
    const hosted = `${owned.account.replace(/^acc_/, "apc_")}@localhost`;
    for (const email of [owned.email, hosted]) {
      await changeAccount(owned.account, { email });
      for (const q of [email, email.toUpperCase(), email.slice(0, 9), email.slice(0, email.indexOf("@") + 1)]) {
        const found = await lists[list](q);
        expect([q, found.includes(own()), found.includes(other[thing])]).toEqual([q, true, false]);
      }
    }
    await changeAccount(owned.account, { email: owned.email });
  });

  it("understands how an application's name for a calendar begins, even if it looks like an id", async () => {
    for (const name of ["rev-1", "cal_main", "acc_1"]) {
      await changeAccount(owned.account, { kind: "application_calendar", applicationCalendarId: name });
      for (const q of [name, name.slice(0, -1)]) {
        const found = await lists[list](q);
        expect([q, found.includes(own()), found.includes(other[thing])]).toEqual([q, true, false]);
      }
    }
    await changeAccount(owned.account, { kind: "account", applicationCalendarId: null });
  });

  it("understands the client ID of an application, whole", async () => {
    const { clientId } = await db().prisma.application.findUniqueOrThrow({ where: { id: owned.application } });
    expect(await lists[list](clientId)).toContain(own());
    expect(await lists[list](clientId.toUpperCase())).toContain(own());
    expect(await lists[list](clientId)).not.toContain(other[thing]);
    expect(await lists[list](clientId.slice(0, -1))).toEqual([]);
  });

  it("understands how a host begins, without a dot", async () => {
    expect(await lists[list](owned.host.slice(0, 12))).toContain(own());
  });

  it("understands a callback URL with its query, and the beginning of an email", async () => {
    expect(await lists[list](`https://${owned.host}/hook?token=a@b.io`)).toContain(own());
    expect(await lists[list](`HTTPS://${owned.host}/ho`)).toContain(own());
    expect(await lists[list](owned.email.slice(0, 14))).toContain(own());
    expect(await lists[list]("https://nobody.acme.io/hook")).toEqual([]);
    expect(await lists[list]("nobody@acme.io")).toEqual([]);
    expect(await lists[list](`${list}%_`)).toEqual([]);
  });
});

it("requests are searched for the email of an account, and a domain may be the id of a request too", async () => {
  const found = await staff.api.requests.list({ account: owned.email.toUpperCase() });
  expect(found.items.map(({ requestId }) => requestId)).toContain(owned.requestId);
  expect(await staff.api.requests.count({ account: "nobody@acme.io" })).toEqual({ count: 0, more: false });
  expect((await staff.api.requests.list({ id: "my.request.7" })).items).toEqual([]);
  expect(await staff.api.requests.count({ id: owned.email, account: owned.account })).toMatchObject({ more: false });
});
