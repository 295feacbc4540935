import Cronofy from "cronofy";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { at } from "../availability";
import { type Application, address, call, newApplication, type Opened, openCalendar } from "../service";

let application: Application;
let [ada, ben]: Opened[] = [];

beforeAll(async () => {
  application = await newApplication({ compatibilityMode: true });
  ada = await openCalendar(application, "ada");
  ben = await openCalendar(application, "ben");
  for (const [{ write }, start, end] of [
    [ada, at(3, "09:00"), at(3, "10:00")],
    [ben, at(3, "09:30"), at(3, "11:00")],
  ] as const) {
    await write({ event_id: "busy", summary: "Review", start, end });
  }
});

const subs = () => [ada?.accountId, ben?.accountId];
const bothFree = () => [
  { start: at(3, "08:00"), end: at(3, "09:00"), participants: subs().map((sub) => ({ sub })) },
  { start: at(3, "11:00"), end: at(3, "12:00"), participants: subs().map((sub) => ({ sub })) },
];
const groups = () => [{ members: subs().map((sub) => ({ sub })), required: "all" }];

/** The package from npm as it is, with another address. */
async function sdk(token: string): Promise<Cronofy> {
  const { clientId: client_id, clientSecret: client_secret } = application;
  const client = new Cronofy({ client_id, client_secret, access_token: token });
  client.urls.api = await address();
  return client;
}

describe("Cronofy's SDK for Node", () => {
  it("finds time with the client secret, and with dates as JavaScript writes them", async () => {
    const client = await sdk(application.clientSecret);
    const period = { start: new Date(at(3, "08:00")).toISOString(), end: new Date(at(3, "12:00")).toISOString() };
    expect(period.start).toContain(".000Z");
    const question = { participants: groups(), required_duration: { minutes: 60 } };
    for (const name of ["query_periods", "available_periods"]) {
      expect(await client.availability({ ...question, [name]: [period] })).toMatchObject({
        available_periods: bothFree(),
      });
    }
    const slots = await client.availability({
      ...question,
      query_periods: [period],
      response_format: "slots",
      start_interval: { minutes: 15 },
      buffer: { before: { minutes: 0 }, after: { minutes: 0 } },
      max_results: 1,
    });
    expect(slots).toMatchObject({ available_slots: bothFree().slice(0, 1) });
  });

  it("asks for a mailbox of an organization, with the client secret in place of a service account's token", async () => {
    const client = await sdk(application.clientSecret);
    const mailbox = { email: "grace@acme.io", callback_url: "https://app.acme.io/mailboxes", state: "s" };
    await client.authorizeWithServiceAccount({ ...mailbox, scope: "read_events create_event" });
    const { clientId } = application;
    const stored = await db().prisma.serviceAccountAuthorization.findMany({ where: { application: { clientId } } });
    expect(stored).toMatchObject([{ email: mailbox.email, callbackUrl: mailbox.callback_url, state: "s" }]);
  });

  it("finds an account's own time with its token", async () => {
    const client = await sdk(ada?.accessToken ?? "");
    const found = await client.availability({
      participants: [{ members: [{ sub: ada?.accountId }], required: 1 }],
      required_duration: { minutes: 60 },
      query_periods: [{ start: at(3, "09:00"), end: at(3, "12:00") }],
    });
    expect(found).toMatchObject({ available_periods: [{ start: at(3, "10:00"), end: at(3, "12:00") }] });
  });

  it("sends a batch of writes, and deletes all of the application's events", async () => {
    const { accessToken = "", calendarId = "", get } = await openCalendar(application, "batch");
    const client = await sdk(accessToken);
    const relative_url = `/v1/calendars/${calendarId}/events`;
    const data = { event_id: "batch", summary: "Batch", start: at(3, "09:00"), end: at(3, "10:00"), tzid: "Etc/UTC" };
    const batch = [
      { method: "POST", relative_url, data },
      { method: "POST", relative_url, data: { ...data, event_id: "wrong", end: at(3, "08:00") } },
      { method: "DELETE", relative_url, data: { event_id: "wrong" } },
    ];
    const answer = await client.batch({ batch });
    expect(answer.batch.map(({ status }: { status: number }) => status)).toEqual([202, 422, 202]);
    const own = async () =>
      (await get("/v1/events", { tzid: "Etc/UTC", only_managed: "true" })).json.events.map(
        ({ event_id }: { event_id: string }) => event_id,
      );
    expect(await own()).toEqual(["batch"]);
    await client.bulkDeleteEvents({ calendar_ids: [calendarId] });
    expect(await own()).toEqual([]);
    await client.bulkDeleteEvents({ delete_all: true });
  });

  it("is told of errors in the shape that it passes on", async () => {
    const client = await sdk(application.clientSecret);
    const refused = client.availability({ participants: groups(), query_periods: [{ start: "soon", end: "later" }] });
    await expect(refused).rejects.toMatchObject({
      statusCode: 422,
      error: { entity: { errors: { required_duration: [{ key: "errors.required" }] } } },
    });
    const slots = { query_slots: [{ start: at(3, "08:00") }] };
    const question = { participants: groups(), required_duration: { minutes: 60 }, ...slots };
    await expect(client.availability(question)).rejects.toMatchObject({
      error: { entity: { errors: { query_slots: [{ key: "errors.not_supported" }] } } },
    });
    await expect((await sdk("no-secret-of-any-application")).availability(question)).rejects.toMatchObject({
      statusCode: 401,
    });
  });
});

/** The bodies that the other SDKs build from their documented calls, as their published sources do it. */
const bodies: [string, (period: object) => object][] = [
  [
    "Ruby 0.41.2",
    (period) => ({
      participants: [{ members: subs().map((sub) => ({ sub })), required: "all" }],
      required_duration: { minutes: 60 },
      available_periods: [period],
      start_interval: { minutes: 30 },
      buffer: { before: { minutes: 0, minimum: { minutes: 0 }, maximum: { minutes: 30 } }, after: { minutes: 0 } },
    }),
  ],
  [
    "Python 2",
    (period) => ({
      participants: [{ members: subs().map((sub) => ({ sub })), required: "all" }],
      required_duration: { minutes: 60 },
      buffer: {},
      available_periods: [period],
    }),
  ],
  [
    ".NET and others that write what is not set as null",
    (period) => ({
      participants: [
        {
          members: subs().map((sub) => ({
            sub,
            available_periods: null,
            calendar_ids: null,
            managed_availability: null,
          })),
          required: "all",
        },
      ],
      required_duration: { minutes: 60 },
      query_periods: [period],
      start_interval: null,
      buffer: null,
      response_format: null,
      max_results: null,
    }),
  ],
];

describe("the request of Cronofy's SDK", () => {
  it.each(bodies)("for %s is accepted", async (_, body) => {
    const spaced = { start: at(3, "08:00").replace("T", " "), end: at(3, "12:00") };
    for (const period of [{ start: at(3, "08:00"), end: at(3, "12:00") }, spaced]) {
      const headers = {
        authorization: `Bearer ${application.clientSecret}`,
        "content-type": "application/json; charset=utf-8",
      };
      const answer = await call("POST", "/v1/availability", { body: JSON.stringify(body(period)), headers });
      expect([answer.status, answer.json.available_periods]).toEqual([200, bothFree()]);
    }
  });
});
