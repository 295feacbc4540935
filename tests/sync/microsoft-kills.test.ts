import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Event } from "@microsoft/microsoft-graph-types";
import { beforeAll, describe, expect, it } from "vitest";
import { address } from "../api/service";
import { bundledProgram } from "../fakes/bundled-program";
import { dropSignals, signalsOf } from "../fakes/stored-signals";
import { changeWrites } from "../fakes/stored-writes";
import { fileEnvironment } from "./file-environment";
import { connectMicrosoftPerson, type Microsoft, microsoft } from "./microsoft-person";
import { day, ours } from "./world";

fileEnvironment(() => ({ LOG_LEVEL: "error" }));

const EMAIL = "ada@example.com";
const CALENDAR = "Calendar";
const root = fileURLToPath(new URL("../..", import.meta.url));

const program = `
import { loopOf } from "@/server/jobs/work-kinds";
await (process.env.WORK === "push" ? loopOf("push") : loopOf("sync")).drain(60_000);
process.exit(0);
`;
let code = "";
beforeAll(() => {
  code = bundledProgram(program);
});

/** The request at which a process is killed, counted from 0, and whether Microsoft has done its work by then. */
interface Kill {
  at: number;
  isDone: boolean;
}

/** A process of the service does what is due and is killed at a request. */
async function killed(fake: Microsoft, work: "push" | "sync", { at, isDone }: Kill): Promise<void> {
  const { id, secret } = fake.client;
  const client = { MICROSOFT_CLIENT_ID: id, MICROSOFT_CLIENT_SECRET: secret, MICROSOFT_BASE_URL: fake.origin };
  const child = spawn(process.execPath, ["--input-type=module", "-"], {
    cwd: root,
    env: { ...process.env, ...client, BASE_URL: await address(), WORK: work },
    stdio: ["pipe", "ignore", "inherit"],
  });
  const kill = { breakConnection: true, afterWork: isDone, run: () => void child.kill("SIGKILL") };
  fake.faults.next({ path: /^\/v1\.0\//, after: at, ...kill });
  const exited = once(child, "exit");
  child.stdin.end(code);
  expect(await exited).toEqual([null, "SIGKILL"]);
}

async function connected() {
  const fake = await microsoft();
  const person = await connectMicrosoftPerson(fake);
  return { fake, person, calendar: fake.account(EMAIL).primary };
}

type Scene = Awaited<ReturnType<typeof connected>>;

/** What Microsoft holds and has sent, and what the application reads, without names and times that differ each time. */
async function outcome({ fake, person, calendar }: Scene) {
  const events = await person.events(await person.calendarId(CALENDAR));
  events.sort((a, b) => (`${a.start} ${a.summary}` < `${b.start} ${b.summary}` ? -1 : 1));
  const said = ({ subject, start, end, location, attendees, body, isOnlineMeeting, recurrence }: Event) => {
    const { firstDayOfWeek: _, ...pattern } = recurrence?.pattern ?? {};
    const repeats = { pattern, range: recurrence?.range };
    return { subject, start, end, location, attendees, body, isOnlineMeeting, repeats };
  };
  const held = calendar.events().map((event) => {
    const { cancelled, exceptions: days } = calendar.deviations(event.id ?? "");
    const changed = days.map((date) => calendar.event(calendar.occurrenceId(event.id ?? "", date)) ?? {});
    return { ...said(event), cancelled, days, changed: changed.map(said) };
  });
  const text = JSON.stringify({
    microsoft: held,
    mails: fake.outbox.map(({ eventId: _, ...mail }) => mail),
    almanac: events.map(({ created: _, updated: __, ...event }) => event),
  });
  const known = text
    .replaceAll(/(evt|cal)_\w+/g, "$1")
    .replaceAll(/meetup-join[^"\\<]+/g, "meetup-join")
    .replaceAll(/\b2\d{8}#/g, "number#")
    .replaceAll(/"time":"20[^"]+"/g, '"time":"any"')
    .replaceAll(/"(signature|series_identifier)":"[^"]+"/g, '"$1":"any"');
  return JSON.parse(known);
}

const invite = [{ email: "bob@example.com" }, { email: "cy@example.com" }];
const guests = { attendees: { invite } };
const rules = [{ frequency: "daily", count: 6 }];
const exceptions = {
  add: [{ date: day(3) }],
  change: [
    { date: day(4), summary: "Renamed" },
    { date: day(5), start: `${day(5)}T18:00:00Z`, end: `${day(5)}T19:00:00Z` },
  ],
};
/** Each day that is left out or changed is a request and emails of its own. */
const series = (more: object = {}) =>
  ours("one", { tzid: "Europe/Berlin", ...guests, recurrence: { rules, exceptions }, ...more });

interface Write {
  write: string;
  /** What was written, and is at Microsoft, before. */
  before?: object;
  /** What others do at Microsoft between the two. */
  others?(calendar: Scene["calendar"]): void;
  /** The event as it is written then. Omitted: it is deleted. */
  event?: object;
  /** The emails that it sends. */
  mails: number;
}

const writes: Write[] = [
  { write: "an event with two guests", event: ours("one", guests), mails: 2 },
  {
    write: "an event with a meeting link",
    event: ours("one", { ...guests, conferencing: { profile_id: "integrated" } }),
    mails: 2,
  },
  {
    write: "another name and one more guest",
    before: ours("one", guests),
    event: ours("one", { summary: "Renamed", attendees: { invite: [{ email: "di@example.com" }] } }),
    mails: 3,
  },
  {
    write: "a meeting link that is taken away, with a guest",
    before: ours("one", { ...guests, conferencing: { profile_id: "integrated" } }),
    event: ours("one", { attendees: { remove: [{ email: "bob@example.com" }] }, conferencing: { profile_id: "none" } }),
    mails: 2,
  },
  { write: "a deletion", before: ours("one", guests), mails: 2 },
  { write: "a series with three exceptions", event: series(), mails: 2 + 3 * 2 },
  {
    write: "another time of a series with three exceptions",
    before: series(),
    event: series({ start: `${day(2)}T15:00:00Z`, end: `${day(2)}T16:00:00Z`, recurrence: { rules } }),
    mails: 2 + 3 * 2,
  },
  {
    write: "one more guest of a series of which one occurrence was answered",
    before: series(),
    others: (calendar) => {
      const [id = ""] = calendar.events().map((event) => event.id);
      calendar.reply(calendar.occurrenceId(id, day(4)), "bob@example.com", "declined");
    },
    event: series({ attendees: { invite: [{ email: "di@example.com" }] }, recurrence: { rules } }),
    // Also of each occurrence that is otherwise than its series, of one twice.
    mails: 1 + 3,
  },
  {
    write: "other exceptions of a series",
    before: series(),
    event: series({ recurrence: { rules, exceptions: { add: [{ date: day(6) }], change: [exceptions.change[0]] } } }),
    // What is as the series again is no mail of its own.
    mails: 2 * 2,
  },
  {
    write: "an occurrence that comes back, of a series with three exceptions",
    before: series(),
    event: series({ recurrence: { rules, exceptions: { add: [], change: exceptions.change } } }),
    mails: 2 * 2,
  },
  {
    write: "a series that becomes a single event",
    before: series(),
    event: series({ recurrence: null }),
    mails: 0,
  },
];

describe("a process that dies at any request leaves Microsoft and the application as if it had not, and sends no email twice:", () => {
  const play = async ({ before, event, others }: Write, kill: Kill | null) => {
    const scene = await connected();
    const { fake, person } = scene;
    await person.sync();
    const path = `/v1/calendars/${await person.calendarId(CALENDAR)}/events`;
    const write = async (body: object) => expect((await person.post(path, body)).status).toBe(202);
    if (before) await write(before);
    await person.push();
    others?.(scene.calendar);
    await person.sync();
    await dropSignals(person.accountId);
    for (const list of [fake.requests, fake.outbox]) list.length = 0;
    if (event) await write(event);
    else expect((await person.remove(path, { event_id: "one" })).status).toBe(202);
    if (kill) {
      await killed(fake, "push", kill);
      await changeWrites(person.profileId, { lease: null, leasedUntil: null, dueAt: new Date(0) });
      // What is half written is read first.
      await person.sync();
    }
    await person.push();
    const requests = fake.requests.map(({ method }) => method);
    await person.sync();
    const signals = (await signalsOf(person.accountId)).filter(({ kind }) => kind === "change");
    return { requests, outcome: { ...(await outcome(scene)), notified: signals.map(({ payload }) => payload) } };
  };

  it.each(writes)("$write", async (write) => {
    const { requests, outcome: expected } = await play(write, null);
    expect(expected.mails).toHaveLength(write.mails);
    expect(expected.notified).toEqual([]);
    const changing = requests.flatMap((method, at) => (method === "GET" ? [] : [at]));
    // Before the first of them nothing has happened.
    const kills = changing.flatMap((at, i) => (i === 0 ? [true] : [false, true]).map((isDone) => ({ at, isDone })));
    expect(kills.length).toBeGreaterThan(0);
    for (const kill of kills) {
      const { outcome: came } = await play(write, kill);
      expect(came, `${JSON.stringify(kill)} of ${requests}`).toEqual(expected);
    }
  });
});
