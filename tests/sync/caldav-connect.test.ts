import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { caldavConnector } from "@/server/providers/caldav/connector";
import { plain } from "../fakes/forward";
import { openReceiver, outsideWith, pem, says } from "../fakes/hostile-receiver";
import { type ICloudFront, startICloudFront } from "../fakes/icloud-front";
import { listedCalendars, mailboxOf } from "../fakes/mailbox";
import { otherClient } from "../fakes/other-client";
import { type Radicale, startRadicale } from "../fakes/radicale";
import { vevent } from "./caldav-pulls";

let radicale: Radicale;
let front: ICloudFront;

beforeAll(async () => {
  radicale = await startRadicale();
  front = await startICloudFront(radicale.url);
});

beforeEach(() => {
  front.asked.length = 0;
  Object.assign(front.behaviour, { leads: "links", instead: () => undefined });
});

afterAll(async () => {
  await front.close();
  await radicale.close();
});

const login = () => ({ username: ` ${radicale.user} `, password: radicale.password });
const entry = () => new URL(front.url).origin;
const home = () => new URL(front.home).origin;
const reached = () => new Set(front.asked.map(({ at }) => at));

/** The PROPFINDs that were answered with them. */
const answered: string[] = [];

/** Answers every PROPFIND at the front with these responses. */
function answerWith(...responses: string[]): void {
  const body = `<multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:S="http://calendarserver.org/ns/">${responses.join("")}</multistatus>`;
  answered.length = 0;
  front.behaviour.instead = (asked) => {
    if (asked.method !== "PROPFIND") return undefined;
    answered.push(asked.body.toString());
    return { status: 207, headers: {}, body: Buffer.from(body) };
  };
}

function response(href: string, props: string): string {
  return `<response><href>${href}</href><propstat><prop>${props}</prop><status>HTTP/1.1 200 OK</status></propstat></response>`;
}

const faultOf = (asking: Promise<unknown>) => asking.then(() => null).catch(({ fault, detail }) => ({ fault, detail }));

describe("an account is connected", () => {
  it.each(["links", "redirect"] as const)(
    "from the entry point, which leads on to another host by %s",
    async (leads) => {
      front.behaviour.leads = leads;
      const connector = caldavConnector({ entry: entry(), origins: [home()] });
      const account = await connector.signIn.verify(login());
      expect(account).toMatchObject({ subject: "/anna%40example.com/", name: radicale.user, email: radicale.user });
      expect(JSON.parse(account.credential).home).toBe(`${home()}/anna%40example.com/`);
      expect((await listedCalendars(mailboxOf(connector, account))).map(({ name }) => name)).toEqual(["Personal"]);
      // Each host is asked without the password first.
      const strangers = front.asked.filter(({ authorized }) => !authorized).map(({ at }) => at);
      expect(strangers.length).toBeLessThanOrEqual(2);
      expect(new Set(strangers).size).toBe(strangers.length);
      expect(front.asked.slice(strangers.length).every(({ authorized }) => authorized)).toBe(true);
      expect(reached()).toEqual(new Set(["entry", "home"]));
    },
  );

  it("as the same one each time", async () => {
    const straight = await caldavConnector({ entry: new URL(radicale.url).origin }).signIn.verify(login());
    const again = await caldavConnector({ entry: entry(), origins: [home()] }).signIn.verify(login());
    expect(straight.subject).toBe(again.subject);
  });

  it("never with a wrong password", async () => {
    const connecting = caldavConnector({ entry: entry() }).signIn.verify({ ...login(), password: "wrong" });
    expect(await faultOf(connecting)).toMatchObject({ fault: { kind: "credentials_rejected" } });
  });

  it("with its own addresses, the preferred one first, and without calendars where it has none", async () => {
    answerWith(
      response(
        "/7/principal/",
        `<displayname>Anna</displayname><current-user-principal><href>/7/principal/</href></current-user-principal>
        <C:calendar-user-address-set><href>/7/principal/</href><href>mailto:old@acme.io</href>
        <href preferred="1">mailto:Anna@acme.io</href><href>urn:uuid:1</href></C:calendar-user-address-set>`,
      ),
    );
    const connector = caldavConnector({ entry: entry() });
    const account = await connector.signIn.verify(login());
    expect(account).toMatchObject({ subject: "/7/principal/", email: "anna@acme.io" });
    expect(JSON.parse(account.credential)).toMatchObject({ addresses: ["anna@acme.io", "old@acme.io"], home: null });
    expect(await listedCalendars(mailboxOf(connector, account))).toEqual([]);
  });
});

describe("the password is sent to no host but the configured one's", () => {
  it("when it leads elsewhere by redirect", async () => {
    front.behaviour.leads = "redirect";
    expect(await faultOf(caldavConnector({ entry: entry() }).signIn.verify(login()))).toEqual({
      fault: { kind: "down" },
      detail: "led_elsewhere",
    });
    expect(reached()).toEqual(new Set(["entry"]));
  });

  it("when it leads elsewhere by links, which are taken for its own behind a proxy", async () => {
    const connector = caldavConnector({ entry: entry() });
    const account = await connector.signIn.verify(login());
    expect(JSON.parse(account.credential).home).toBe(`${entry()}/anna%40example.com/`);
    expect(await listedCalendars(mailboxOf(connector, account))).toHaveLength(1);
    expect(reached()).toEqual(new Set(["entry"]));
  });

  it("when it leads on and on", async () => {
    front.behaviour.instead = ({ path }) => plain(302, { location: `${path}x` });
    const connector = caldavConnector({ entry: entry() });
    expect(await faultOf(connector.signIn.verify(login()))).toMatchObject({ detail: "too_many_hops" });
    expect(front.asked.map(({ path }) => path)).toEqual(["/", "/x", "/xx", "/xxx"]);
  });

  it("except by https to another host of its site, at a public address", async () => {
    const principal = "<current-user-principal><href>https://hooks.acme.io/7/</href></current-user-principal>";
    const body = `<multistatus xmlns="DAV:">${response("/7/", principal)}</multistatus>`;
    const other = await openReceiver(says(`HTTP/1.1 207 M\r\nContent-Length: ${body.length}\r\n\r\n${body}`), {
      tls: "valid",
    });
    answerWith(response("/", principal));
    const answers = front.behaviour.instead;
    front.behaviour.instead = (asked) => {
      if (!asked.headers.authorization) return plain(401, { "www-authenticate": 'Basic realm="home"' });
      return asked.path === "/" ? answers(asked) : plain(404);
    };
    const { dial: elsewhere } = outsideWith(other.port);
    const connectTo = (origin: string, address: string) => {
      const dial = (to: string, port: number) => (to === "127.0.0.1" ? connect(port, to) : elsewhere(to, port));
      const outside = { ca: pem("authority"), resolve: async () => [address], dial };
      return faultOf(
        caldavConnector({ entry: entry(), origins: [origin], sites: ["acme.io"], outside }).signIn.verify(login()),
      );
    };
    const led = { fault: { kind: "down" }, detail: "led_elsewhere" };
    expect(await connectTo("https://caldav.other.io", "93.184.215.14")).toEqual(led);
    expect(await connectTo("https://caldav.acme.io", "127.0.0.1")).toEqual({ ...led, detail: "blocked" });
    expect(other.seen.text).toBe("");
    expect(await connectTo("https://caldav.acme.io", "93.184.215.14")).toBeNull();
    expect(other.seen.text.toLowerCase()).toContain("authorization: basic");
  });
});

describe("calendars are listed", () => {
  const collection = (more: string) => `<resourcetype><collection/>${more}</resourcetype>`;
  const rights = (...names: string[]) =>
    `<current-user-privilege-set>${names.map((name) => `<privilege><${name}/></privilege>`).join("")}</current-user-privilege-set>`;
  const only = (component: string) =>
    `<C:supported-calendar-component-set><C:comp name="${component}"/></C:supported-calendar-component-set>`;
  const calendar = collection("<C:calendar/>");

  async function listed(...responses: string[]) {
    front.behaviour.instead = () => undefined;
    const connector = caldavConnector({ entry: entry(), origins: [home()] });
    const account = await connector.signIn.verify(login());
    answerWith(response("/anna%40example.com/", collection("")), ...responses);
    return listedCalendars(mailboxOf(connector, account));
  }

  it("without inboxes, outboxes, notifications, lists of tasks and subscriptions", async () => {
    const found = await listed(
      response("/a/inbox/", collection("<C:schedule-inbox/>")),
      response("/a/outbox/", collection("<C:schedule-outbox/>")),
      response("/a/notification/", collection("<S:notification/>")),
      response("/a/tasks/", calendar + only("VTODO")),
      response("/a/holidays/", collection("<C:calendar/><S:subscribed/>")),
      response("/a/home/", calendar + only("VEVENT")),
      response("/a/any/", calendar),
    );
    expect(found.map(({ externalId }) => externalId)).toEqual(["/a/home/", "/a/any/"]);
  });

  it("with their names, zones and ctags", async () => {
    const zone =
      "BEGIN:VCALENDAR&#13;\nBEGIN:VTIMEZONE&#13;\nTZID:Europe/Berlin&#13;\nEND:VTIMEZONE&#13;\nEND:VCALENDAR";
    const found = await listed(
      response(
        "/a/1%20%C3%A4/",
        `${calendar}<displayname> 007 </displayname><sync-token>t1</sync-token><S:getctag>c1</S:getctag><C:calendar-timezone>${zone}</C:calendar-timezone>`,
      ),
      response(
        "/a/2%20%C3%A4/",
        `${calendar}<displayname/><S:getctag>c2</S:getctag><C:calendar-timezone>TZID:Mars</C:calendar-timezone>`,
      ),
      response("/a/3/", calendar),
    );
    expect(found.map(({ name, tzid, ctag }) => [name, tzid, ctag])).toEqual([
      ["007", "Europe/Berlin", "t1"],
      ["2 ä", null, "c2"],
      ["3", null, null],
    ]);
  });

  it("by one request where they have sync tokens, and by a second one for ctags where one has none", async () => {
    const asked = () => answered.map((body) => /sync-token|getctag/.exec(body)?.[0]);
    const withToken = response("/a/1/", `${calendar}<sync-token>t1</sync-token>`);
    await listed(withToken);
    expect(asked()).toEqual(["sync-token"]);
    await listed(withToken, response("/a/2/", calendar));
    expect(asked()).toEqual(["sync-token", "getctag"]);
  });

  it("as readonly where nothing may be written, and the default one as primary", async () => {
    const calendars = [
      response("/a/shared/", calendar + rights("read", "read-free-busy")),
      response("/a/first/", calendar + rights("read", "write")),
      response("/a/second/", calendar + rights("read", "write-content", "bind")),
      response("/a/all/", calendar + rights("all")),
      response("/a/silent/", calendar),
    ];
    const link = "<C:schedule-default-calendar-URL><href>/a/second/</href></C:schedule-default-calendar-URL>";
    const found = await listed(...calendars);
    expect(found.map(({ readonly }) => readonly)).toEqual([true, false, false, false, false]);
    expect(found.filter(({ primary }) => primary).map(({ name }) => name)).toEqual(["first"]);
    const named = await listed(...calendars, response("/a/inbox/", collection("<C:schedule-inbox/>") + link));
    expect(named.filter(({ primary }) => primary).map(({ name }) => name)).toEqual(["second"]);
  });

  it("each with a version that changes with what is in it", async () => {
    const connector = caldavConnector({ entry: new URL(radicale.url).origin });
    const account = await connector.signIn.verify(login());
    await radicale.makeCalendar("Work");
    const versions = async () =>
      new Map((await listedCalendars(mailboxOf(connector, account))).map(({ name, ctag }) => [name, ctag]));
    const before = await versions();
    const work =
      (await listedCalendars(mailboxOf(connector, account))).find(({ name }) => name === "Work")?.externalId ?? "";
    await otherClient(new URL(work, radicale.url).href, radicale).create("a", vevent("a"));
    const after = await versions();
    expect([...before.keys()].sort()).toEqual(["Personal", "Work"]);
    expect(after.get("Personal")).toBe(before.get("Personal"));
    expect(after.get("Work")).not.toBe(before.get("Work"));
  });
});
