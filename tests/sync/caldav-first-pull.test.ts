import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { caldavConnector } from "@/server/providers/caldav/connector";
import type { CalendarAccount } from "@/server/providers/connector";
import { type Front, type FrontRequest, type FrontResponse, plain, startFront } from "../fakes/forward";
import { pullAll, vevent } from "./caldav-pulls";

const EVENTS = 10_000;
const entry = () => `http://127.0.0.1:${front.port}`;
const resources = Array.from({ length: EVENTS }, (_, n) => ({ path: `/home/cal/e${n}.ics`, etag: `"${n}-1"` }));

let front: Front;
const asked: FrontRequest[] = [];

/** A calendar of 10,000 events on a server that answers at once, so that what is measured is the reading. */
beforeAll(async () => {
  const answers = new Map(resources.map((resource, n) => [resource.path, { ...resource, ics: calendarOf(n) }]));
  front = await startFront(
    () => 0,
    async (one) => {
      asked.push(one);
      return answer(one, answers);
    },
  );
});

afterAll(() => front.close());

describe(`a first pull of ${EVENTS} events`, () => {
  it("asks for fifty events at a time, and holds up nothing else in the meantime", async () => {
    const connector = caldavConnector({ entry: entry() });
    const account: CalendarAccount = await connector.signIn.verify({ username: "anna", password: "secret" });
    const stop = watchTurns();
    const pulled = await pullAll(connector, account, { calendarId: "/home/cal/" });
    const { all, longest } = stop();
    expect(pulled.events).toHaveLength(EVENTS);
    expect(pulled.faults).toEqual([]);
    expect(pulled.end.present?.size).toBe(EVENTS);
    const reports = asked.filter(({ method }) => method === "REPORT").length;
    expect(reports).toBe(1 + EVENTS / 50);
    expect(longest).toBeLessThan(all / 4);
  }, 120_000);
});

function calendarOf(n: number): string {
  const more = ["LOCATION:Room 5", "DESCRIPTION:What we talk about every week\\, and what comes of it"];
  const guests = ["anna", "ben"].map((name) => `ATTENDEE;CN=${name};PARTSTAT=ACCEPTED:mailto:${name}@example.com`);
  const lines = `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Other//EN\n${vevent(`e${n}`, [...more, ...guests])}\nEND:VCALENDAR`;
  return `${lines.replaceAll("\n", "\r\n")}\r\n`;
}

type Resources = ReadonlyMap<string, { path: string; etag: string; ics: string }>;

function answer({ method, path, body }: FrontRequest, kept: Resources): FrontResponse {
  if (body.includes("sync-collection")) {
    return multistatus([
      ...resources.map((one) => response(one.path, `<getetag>${one.etag}</getetag>`)),
      "<sync-token>t1</sync-token>",
    ]);
  }
  if (method === "REPORT") {
    const hrefs = [...body.toString().matchAll(/<(?:\w+:)?href>([^<]*)</g)].map(([, href = ""]) => href);
    const data = (href: string) =>
      `<C:calendar-data>${kept.get(href)?.ics.replaceAll("\r", "&#13;")}</C:calendar-data>`;
    return multistatus(hrefs.map((href) => response(href, `<getetag>${kept.get(href)?.etag}</getetag>${data(href)}`)));
  }
  if (method !== "PROPFIND") return plain(405);
  return multistatus([response(path, discovery(path))]);
}

function discovery(path: string): string {
  return `<current-user-principal><href>/home/</href></current-user-principal><C:calendar-home-set><href>/home/</href></C:calendar-home-set>
    <resourcetype><collection/>${path === "/home/cal/" ? "<C:calendar/>" : ""}</resourcetype><sync-token>t1</sync-token>`;
}

function response(href: string, props: string): string {
  return `<response><href>${href}</href><propstat><prop>${props}</prop><status>HTTP/1.1 200 OK</status></propstat></response>`;
}

function multistatus(responses: string[]): FrontResponse {
  const open = '<multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">';
  const body = Buffer.from(`${open}${responses.join("")}</multistatus>`);
  return { status: 207, headers: { "content-type": "application/xml; charset=utf-8" }, body };
}

/** What this process computes in the meantime, and at most in one turn of the event loop, in µs: what other processes do does not count. */
function watchTurns(): () => { all: number; longest: number } {
  const began = process.cpuUsage();
  let last = began;
  let longest = 0;
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    longest = Math.max(longest, user + system);
    last = process.cpuUsage();
  }, 10);
  return () => {
    clearInterval(timer);
    const { user, system } = process.cpuUsage(began);
    return { all: user + system, longest };
  };
}
