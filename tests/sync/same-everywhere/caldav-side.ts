import { onTestFinished } from "vitest";
import { type OtherClient, otherClient } from "../../fakes/other-client";
import { startRadicale } from "../../fakes/radicale";
import { connectPerson } from "../world";
import { type Others, OWNER, type Side, type TheirEvent, ZONE } from "./side";

/** A calendar on Radicale. */
export async function caldavSide(): Promise<Side> {
  const radicale = await startRadicale(OWNER);
  onTestFinished(() => radicale.close());
  const person = await connectPerson(radicale, radicale);
  await person.sync();
  return {
    ...person,
    calendarId: await person.calendarId("Personal"),
    others: others(otherClient(radicale.calendar, radicale)),
    settled: async () => {
      await person.push();
      await person.sync();
    },
  };
}

function others(client: OtherClient): Others {
  const change = async ({ summary }: { summary: string }, how: (ics: string) => string) => {
    await client.change(`SUMMARY:${summary}`, (ics) => {
      const unfolded = ics.replaceAll(/\r?\n[ \t]/g, "");
      const changed = how(unfolded);
      if (changed === unfolded) throw new Error(`nothing was changed in ${summary}`);
      return changed;
    });
  };
  const add = (...lines: string[]) => {
    return (ics: string) => ics.replace("END:VEVENT", [...lines, "END:VEVENT"].join("\r\n"));
  };
  return {
    rename: (event, { summary, location }) =>
      change(event, (ics) =>
        add(`LOCATION:${location}`)(ics.replace(`SUMMARY:${event.summary}`, `SUMMARY:${summary}`)),
      ),
    delete: ({ summary }) => client.remove(`SUMMARY:${summary}`),
    moveOccurrence: (event, from, to) =>
      change(event, (ics) => {
        const uid = /UID:(.*)/.exec(ics)?.[1]?.trim() ?? "";
        return withOccurrence(ics, { uid, summary: event.summary, from, to });
      }),
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
}

function withOccurrence(ics: string, { uid, summary, from, to }: MovedOccurrence): string {
  const lines = [timed("RECURRENCE-ID", from), timed("DTSTART", to.start), timed("DTEND", to.end)];
  const event = [
    "BEGIN:VEVENT",
    `UID:${uid}`,
    "DTSTAMP:20250601T000000Z",
    `SUMMARY:${summary}`,
    ...lines,
    "END:VEVENT",
  ];
  return ics.replace("END:VCALENDAR", [...event, "END:VCALENDAR"].join("\r\n"));
}
