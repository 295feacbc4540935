import { afterEach, describe, expect, it } from "vitest";
import { caldavConnector } from "@/server/providers/caldav/connector";
import { listedCalendars, mailboxOf } from "@/tests/fakes/mailbox";
import { type SmallDav, type SmallDavOptions, startSmallDav } from "@/tests/fakes/small-dav/small-dav";
import { pullAll, summaries, vevent } from "@/tests/sync/caldav-pulls";

const open: SmallDav[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function server(options: Partial<SmallDavOptions> = {}) {
  const dav = await startSmallDav(options);
  open.push(dav);
  const connector = caldavConnector({ entry: dav.url });
  const verify = () => connector.signIn.verify({ username: dav.user, password: dav.password });
  const list = async (account?: Awaited<ReturnType<typeof verify>>) =>
    listedCalendars(mailboxOf(connector, account ?? (await verify())));
  return { dav, connector, verify, list };
}

const homes = ["/calendars/anna/", "/shared/anna/", "/resources/anna/"];
const faultOf = (asking: Promise<unknown>) => asking.then(() => null).catch(({ fault, detail }) => ({ fault, detail }));

describe("calendars in several homes", () => {
  it("are all listed, the primary one of the first home, and read", async () => {
    const { dav, connector, verify, list } = await server({ homes });
    dav.calendar("personal");
    dav.calendar("team", 1).set("a.ics", `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${vevent("a")}\r\nEND:VCALENDAR\r\n`);
    dav.calendar("room", 2);
    const account = await verify();
    const found = await list(account);
    expect(found.map(({ externalId }) => externalId).sort()).toEqual([
      "/calendars/anna/personal/",
      "/resources/anna/room/",
      "/shared/anna/team/",
    ]);
    expect(found.filter(({ primary }) => primary).map(({ name }) => name)).toEqual(["personal"]);
    expect(summaries(await pullAll(connector, account, { calendarId: "/shared/anna/team/" }))).toEqual(["a"]);
  });

  it("are listed without a home that is there no longer, and only the first one is missed", async () => {
    const { dav, verify, list } = await server({ homes });
    for (const [i] of homes.entries()) dav.calendar("calendar", i);
    const account = await verify();
    dav.options.homes = homes.slice(0, 2);
    expect(await list(account)).toHaveLength(2);
    dav.options.homes = homes.slice(1);
    expect((await list(account)).map(({ externalId }) => externalId).sort()).toEqual([
      "/resources/anna/calendar/",
      "/shared/anna/calendar/",
    ]);
  });
});

describe("a server that calls itself by another address", () => {
  it.each([
    "https://calendar.acme.example",
    "http://internal.acme.example:8080",
    "https://127.0.0.1",
    "http://127.0.0.1:1",
    "http://10.0.0.7",
  ])("in its links is one server, and its calendars stay the same: %s", async (linkOrigin) => {
    const { dav, connector, verify, list } = await server();
    dav.put("personal", "a.ics", vevent("a"));
    const before = await list();
    dav.options.linkOrigin = linkOrigin;
    const account = await verify();
    const after = await list(account);
    expect(after.map(({ externalId }) => externalId)).toEqual(before.map(({ externalId }) => externalId));
    const pulled = await pullAll(connector, account, { calendarId: "/calendars/anna/personal/" });
    expect(pulled.events.map(({ externalId }) => externalId)).toEqual(["/calendars/anna/personal/a.ics"]);
    expect(pulled.end.present).toEqual(new Set(["/calendars/anna/personal/a.ics"]));
    dav.remove("personal", "a.ics");
    const syncToken = pulled.end.syncToken;
    const gone = await pullAll(connector, account, { calendarId: "/calendars/anna/personal/", syncToken });
    expect(gone.gone).toEqual(["/calendars/anna/personal/a.ics"]);
  });

  it("is another one where it has no such calendars, and nothing is sent there", async () => {
    const { dav, verify } = await server();
    const elsewhere = await server();
    elsewhere.dav.calendar("personal");
    dav.options.instead = ({ body }) =>
      body.toString().includes("calendar-home-set")
        ? {
            status: 207,
            headers: {},
            body: Buffer.from(
              `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response><d:href>/principals/anna/</d:href><d:propstat><d:prop><c:calendar-home-set><d:href>${elsewhere.dav.url}other/anna/</d:href></c:calendar-home-set></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`,
            ),
          }
        : undefined;
    expect(await faultOf(verify())).toEqual({ fault: { kind: "down" }, detail: "led_elsewhere" });
    expect(elsewhere.dav.asked).toEqual([]);
  });
});

describe("whether guests are invited", () => {
  it.each<[string, Partial<SmallDavOptions>, boolean | null]>([
    ["where the server schedules", { schedules: true }, true],
    ["not where it does not", { schedules: false }, false],
    ["where it only says so when it is asked for its options", { schedules: true, davHeaderOf: ["OPTIONS"] }, true],
    ["not where it says nothing of it then", { schedules: false, davHeaderOf: ["OPTIONS"] }, false],
    ["not known where it never says what it can do", { schedules: true, davHeaderOf: [], hasOutbox: false }, null],
    ["where it has an outbox", { davHeaderOf: [], hasOutbox: true }, true],
  ])("is known: %s", async (_, options, invites) => {
    const { dav, list } = await server(options);
    dav.calendar("personal");
    expect(await list()).toMatchObject([{ invites }]);
  });
});
