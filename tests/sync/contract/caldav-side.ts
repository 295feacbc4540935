import { onTestFinished } from "vitest";
import { provideConnector } from "@/server/providers/connectors";
import { plain, startFront } from "../../fakes/forward";
import { type OtherClient, otherClient } from "../../fakes/other-client";
import { startRadicale } from "../../fakes/radicale";
import { connectPerson } from "../world";
import { inBerlin, type Loss, type Others, OWNER, type Seen, type Side, type TheirEvent, ZONE } from "./side";

/** A calendar on Radicale. */
export async function caldavSide(): Promise<Side> {
  const radicale = await startRadicale(OWNER);
  onTestFinished(() => radicale.close());
  const site: { loses: Loss | null } = { loses: null };
  const front = await startFront(
    () => Number(new URL(radicale.url).port),
    async ({ method }, handOn) => {
      const response = await handOn();
      if (!site.loses || !["PUT", "DELETE"].includes(method)) return response;
      return site.loses === "503" ? plain(503) : null;
    },
  );
  onTestFinished(() => front.close());
  const person = await connectPerson({ url: `http://127.0.0.1:${front.port}/` }, radicale);
  // As the service would reach the server if it were iCloud's.
  provideConnector("icloud", person.connector);
  onTestFinished(() => provideConnector("icloud", null));
  await person.sync();
  const side = async (name: string, url: string): Promise<Side> => {
    const client = otherClient(url, radicale);
    return {
      ...person,
      calendarId: await person.calendarId(name),
      others: others(client),
      settled: async () => {
        await person.push();
        await person.sync();
      },
      provider: {
        ...{ push: person.push, sync: person.sync, forgetTokens: radicale.forgetTokens, losesDays: true },
        losing: async (how, run) => {
          site.loses = how;
          await run();
          site.loses = null;
        },
        seen: async () => (await client.list()).map(({ ics }) => seen(ics)),
      },
      calendars: async (names) => {
        const urls: string[] = [];
        for (const name of names) urls.push(await radicale.makeCalendar(name));
        await person.sync();
        return await Promise.all(urls.map((url, i) => side(names[i] ?? "", url)));
      },
    };
  };
  return await side("Personal", radicale.calendar);
}

function others(client: OtherClient): Others {
  const change = async ({ summary }: { summary: string }, how: (ics: string) => string) => {
    await client.change(`SUMMARY:${summary}`, (ics) => {
      const whole = unfolded(ics);
      const changed = how(whole);
      if (changed === whole) throw new Error(`nothing was changed in ${summary}`);
      return changed;
    });
  };
  const override = (
    event: { summary: string },
    occurrence: Omit<MovedOccurrence, "uid" | "summary"> & { summary?: string },
  ) =>
    change(event, (ics) => {
      const uid = /UID:(.*)/.exec(ics)?.[1]?.trim() ?? "";
      return withOccurrence(ics, { uid, summary: event.summary, ...occurrence });
    });
  const add = (...lines: string[]) => {
    return (ics: string) => ics.replace("END:VEVENT", [...lines, "END:VEVENT"].join("\r\n"));
  };
  return {
    rename: (event, { summary, location }) =>
      change(event, (ics) =>
        withText("LOCATION", location)(ics.replace(`SUMMARY:${event.summary}`, `SUMMARY:${summary}`)),
      ),
    describe: (event, description) => change(event, withText("DESCRIPTION", description)),
    delete: ({ summary }) => client.remove(`SUMMARY:${summary}`),
    move: (event, { start, end }) =>
      change(
        event,
        inEvent((text) =>
          text.replace(/DTSTART[^\r\n]*/, timed("DTSTART", start)).replace(/DTEND[^\r\n]*/, timed("DTEND", end)),
        ),
      ),
    repeat: (event, { interval, count }) =>
      change(
        event,
        inEvent((text) => text.replace(/RRULE:[^\r\n]*/, `RRULE:FREQ=DAILY;INTERVAL=${interval};COUNT=${count}`)),
      ),
    moveOccurrence: (event, from, to) => override(event, { from, to }),
    renameOccurrence: (event, from, summary) => override(event, { summary, from, to: hourFrom(from) }),
    mark: (event, from) =>
      from ? override(event, { from, to: hourFrom(from), more: [MARK] }) : change(event, add(MARK)),
    cancelOccurrence: (event, from) => change(event, add(timed("EXDATE", from))),
    accept: (event, guest) =>
      change(event, (ics) =>
        ics.replace(new RegExp(`PARTSTAT=NEEDS-ACTION([^\\r\\n]*mailto:${guest})`), "PARTSTAT=ACCEPTED$1"),
      ),
    makePrivate: (event) => change(event, add("CLASS:PRIVATE")),
    create: async (event) => {
      const uid = event.summary.toLowerCase();
      const ics = calendarWith(uid, event);
      const { daily, summary } = event;
      const whole = daily ? withOccurrence(ics, { uid, summary, from: daily.moved.from, to: daily.moved }) : ics;
      await client.create(uid, whole);
    },
  };
}

/** Gives the first component of an event this text in place of its own. */
const withText = (name: string, text: string) =>
  inEvent((event) =>
    event
      .replace(new RegExp(`^${name}[;:].*\\r?\\n`, "m"), "")
      .replace("END:VEVENT", text === "" ? "END:VEVENT" : `${name}:${text}\r\nEND:VEVENT`),
  );

/** Changes the first component of an event, whatever its time zone says before it. */
const inEvent = (how: (text: string) => string) => (ics: string) =>
  ics.replace(/BEGIN:VEVENT[\s\S]*?END:VEVENT/, (text) => how(text));

const unfolded = (ics: string) => ics.replaceAll(/\r?\n[ \t]/g, "");

function seen(ics: string): Seen {
  const [event = "", ...overrides] = unfolded(ics).match(/BEGIN:VEVENT[\s\S]*?END:VEVENT/g) ?? [];
  const summary = textOf(event, "SUMMARY");
  const start = shown(event, "DTSTART");
  const dayOf = (override: string) => shown(override, "RECURRENCE-ID").slice(0, 10);
  const isChanged = (one: string) =>
    textOf(one, "SUMMARY") !== summary || shown(one, "DTSTART").slice(11) !== start.slice(11);
  const isMarked = (one: string) => one.includes(MARK);
  return {
    ...{ summary, start, end: shown(event, "DTEND"), isSeries: textOf(event, "RRULE") !== "" },
    ...{ description: textOf(event, "DESCRIPTION"), location: textOf(event, "LOCATION") },
    skipped: [...event.matchAll(/^EXDATE.*?:(\d{4})(\d\d)(\d\d)/gm)].map(([, ...date]) => date.join("-")).sort(),
    changed: Object.fromEntries(
      overrides.filter(isChanged).map((one) => [dayOf(one), [shown(one, "DTSTART"), textOf(one, "SUMMARY")]]),
    ),
    marks: [...overrides.filter(isMarked).map(dayOf).sort(), ...(isMarked(event) ? ["series"] : [])],
  };
}

function textOf(event: string, name: string): string {
  return new RegExp(`^${name}(?:;[^:\\r\\n]*)?:(.*)$`, "m").exec(event)?.[1]?.trim() ?? "";
}

function shown(event: string, name: string): string {
  const [, days = "", hours, minutes, utc] = /^(\d{8})(?:T(\d\d)(\d\d)\d\d(Z)?)?$/.exec(textOf(event, name)) ?? [];
  const date = days.replace(/(....)(..)(..)/, "$1-$2-$3");
  if (hours === undefined) return date;
  return utc ? inBerlin(`${date}T${hours}:${minutes}:00Z`) : `${date}T${hours}:${minutes}`;
}

const MARK = "X-THEIRS:kept";
const basic = (local: string) => local.replaceAll(/[-:]/g, "");
const timed = (name: string, local: string) =>
  local.length > 10 ? `${name};TZID=${ZONE}:${basic(local)}` : `${name};VALUE=DATE:${basic(local)}`;

function calendarWith(uid: string, event: TheirEvent): string {
  const { summary, start, end, location, isTentative, daily, declinedOf } = event;
  return [
    ...["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Other//Client//EN", "BEGIN:VEVENT", `UID:${uid}`],
    ...["DTSTAMP:20250601T000000Z", `SUMMARY:${summary}`, timed("DTSTART", start), timed("DTEND", end)],
    ...(location ? [`LOCATION:${location}`] : []),
    ...(isTentative ? ["STATUS:TENTATIVE"] : []),
    ...(daily ? [`RRULE:FREQ=DAILY;COUNT=${daily.count}`] : []),
    ...(declinedOf
      ? [
          ...[`ORGANIZER:mailto:${declinedOf}`, `ATTENDEE;PARTSTAT=ACCEPTED:mailto:${declinedOf}`],
          `ATTENDEE;PARTSTAT=DECLINED:mailto:${OWNER}`,
        ]
      : []),
    ...["END:VEVENT", "END:VCALENDAR"],
  ].join("\r\n");
}

interface MovedOccurrence {
  uid: string;
  summary: string;
  from: string;
  to: { start: string; end: string };
  more?: string[];
}

/** The hour that begins then. */
function hourFrom(start: string): { start: string; end: string } {
  const end = new Date(Date.parse(`${start}Z`) + 3_600_000).toISOString().slice(0, 19);
  return { start, end };
}

function withOccurrence(ics: string, { uid, summary, from, to, more = [] }: MovedOccurrence): string {
  const lines = [timed("RECURRENCE-ID", from), timed("DTSTART", to.start), timed("DTEND", to.end)];
  const event = [
    "BEGIN:VEVENT",
    `UID:${uid}`,
    "DTSTAMP:20250601T000000Z",
    `SUMMARY:${summary}`,
    ...lines,
    ...more,
    "END:VEVENT",
  ];
  const isBefore = (one: string) => one.includes(timed("RECURRENCE-ID", from));
  const others = ics.replaceAll(/BEGIN:VEVENT[\s\S]*?END:VEVENT\r?\n/g, (one) => (isBefore(one) ? "" : one));
  return others.replace("END:VCALENDAR", [...event, "END:VCALENDAR"].join("\r\n"));
}
