import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { address } from "../api/service";
import { bundledProgram } from "../fakes/bundled-program";
import { changeSync } from "../fakes/stored";
import { dropSignals, signalsOf } from "../fakes/stored-signals";
import { changeWrites } from "../fakes/stored-writes";
import { fileEnvironment } from "./file-environment";
import { connectGooglePerson, type Google, google } from "./google-person";
import { day, ours } from "./world";

fileEnvironment(() => ({ LOG_LEVEL: "error" }));

const EMAIL = "ada@example.com";
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

/** The request at which a process is killed, counted from 0, and whether Google has done its work by then. */
interface Kill {
  at: number;
  isDone: boolean;
}

/** A process of the service does what is due and is killed at a request. */
async function killed(provider: Google, work: "push" | "sync", { at, isDone }: Kill): Promise<void> {
  const { id, secret } = provider.client;
  const client = { GOOGLE_CLIENT_ID: id, GOOGLE_CLIENT_SECRET: secret, GOOGLE_BASE_URL: provider.origin };
  const child = spawn(process.execPath, ["--input-type=module", "-"], {
    cwd: root,
    env: { ...process.env, ...client, BASE_URL: await address(), WORK: work },
    stdio: ["pipe", "ignore", "inherit"],
  });
  const kill = { breakConnection: true, afterWork: isDone, run: () => void child.kill("SIGKILL") };
  provider.faults.next({ path: /^\/calendar\/v3\//, after: at, ...kill });
  const exited = once(child, "exit");
  child.stdin.end(code);
  expect(await exited).toEqual([null, "SIGKILL"]);
}

async function connected(options: Parameters<typeof google>[0] = {}) {
  const provider = await google(options);
  const person = await connectGooglePerson(provider);
  return { provider, person, calendar: provider.account(EMAIL).primary };
}

type Scene = Awaited<ReturnType<typeof connected>>;

/** What Google holds and has sent, and what the application reads, without names that differ each time. */
async function outcome({ provider, person, calendar }: Scene) {
  const events = await person.events(await person.calendarId(EMAIL));
  events.sort((a, b) => (`${a.start} ${a.summary}` < `${b.start} ${b.summary}` ? -1 : 1));
  const held = calendar.events().map(({ created: _, updated: __, ...event }) => event);
  const names = [...held.map(({ id }) => id), ...held.map(({ hangoutLink }) => hangoutLink?.slice(-12))];
  const text = JSON.stringify({
    google: held,
    mails: provider.outbox,
    almanac: events.map(({ created: _, updated: __, ...event }) => event),
  });
  return JSON.parse(
    names
      .filter((name) => name)
      .sort((a, b) => String(a).length - String(b).length)
      .reduce<string>((text, name, n) => text.replaceAll(String(name), `name-${n}`), text)
      .replaceAll(/"requestId":"[^"]+"/g, '"requestId":"new"')
      .replaceAll(/"signature":"[^"]+"/g, '"signature":"any"')
      .replaceAll(/(evt|cal)_\w+/g, "$1"),
  );
}

type Outcome = Awaited<ReturnType<typeof outcome>>;

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
/** Days that are left out belong to the rules of a series, and changed ones are requests and emails of their own. */
const series = (more: object = {}) =>
  ours("one", { tzid: "Europe/Berlin", ...guests, recurrence: { rules, exceptions }, ...more });

interface Write {
  write: string;
  /** What was written, and is at Google, before. */
  before?: object;
  /** What others do at Google between the two. */
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
  { write: "a series with three exceptions", event: series(), mails: 2 + 2 * 2 },
  {
    write: "another time of a series with three exceptions",
    before: series(),
    event: series({ start: `${day(2)}T15:00:00Z`, end: `${day(2)}T16:00:00Z`, recurrence: { rules } }),
    mails: 2 + 2 * 2,
  },
  {
    write: "one more guest of a series of which one occurrence was answered",
    before: series(),
    others: (calendar) => {
      const [renamed] = calendar.events().filter(({ summary }) => summary === "Renamed");
      calendar.reply(renamed?.id ?? "", "bob@example.com", "declined");
    },
    event: series({ attendees: { invite: [{ email: "di@example.com" }] }, recurrence: { rules } }),
    mails: 3 + 3,
  },
  {
    write: "other exceptions of a series",
    before: series(),
    event: series({ recurrence: { rules, exceptions: { add: [{ date: day(6) }], change: [exceptions.change[0]] } } }),
    mails: 3 * 2,
  },
  {
    write: "a series that becomes a single event",
    before: series(),
    event: series({ recurrence: null }),
    mails: 2,
  },
];

describe("a process that dies at any request leaves Google and the application as if it had not, and sends no email twice:", () => {
  const play = async ({ before, event, others }: Write, kill: Kill | null) => {
    const scene = await connected();
    const { provider, person } = scene;
    await person.sync();
    const path = `/v1/calendars/${await person.calendarId(EMAIL)}/events`;
    const write = async (body: object) => expect((await person.post(path, body)).status).toBe(202);
    if (before) await write(before);
    await person.push();
    others?.(scene.calendar);
    await person.sync();
    await dropSignals(person.accountId);
    for (const list of [provider.requests, provider.outbox]) list.length = 0;
    if (event) await write(event);
    else expect((await person.remove(path, { event_id: "one" })).status).toBe(202);
    if (kill) {
      await killed(provider, "push", kill);
      await changeWrites(person.profileId, { lease: null, leasedUntil: null, dueAt: new Date(0) });
      // What is half written is read first.
      await person.sync();
    }
    await person.push();
    const requests = provider.requests.map(({ method }) => method);
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

it("a first sync that dies at any page ends as if it had not", async () => {
  const at = (offset: number, time = "10:00") => ({
    dateTime: `${day(offset)}T${time}:00`,
    timeZone: "Europe/Berlin",
  });
  const play = async (kill: Kill | null): Promise<{ pages: number[]; outcome: Outcome }> => {
    const scene = await connected({ knobs: { pageSize: 4 } });
    const { provider, person, calendar } = scene;
    for (const n of [1, 2, 3]) {
      const times = { start: at(2), end: at(2, "11:00") };
      calendar.putEvent({ id: `single${n}`, summary: `Single ${n}`, ...times });
      calendar.putEvent({
        id: `series${n}`,
        summary: `Series ${n}`,
        ...times,
        recurrence: ["RRULE:FREQ=DAILY;COUNT=3"],
      });
      calendar.moveOccurrence(`series${n}`, at(3), { start: at(3, "15:00"), end: at(3, "16:00") });
      calendar.deleteOccurrence(`series${n}`, at(4));
    }
    provider.requests.length = 0;
    if (kill) {
      await killed(provider, "sync", kill);
      await changeSync(person.profileId, { syncLease: null, syncLeasedUntil: null });
    }
    await person.sync();
    expect(await person.profile()).toMatchObject({ initial_sync_required: false, sync_error: null });
    const calls = provider.requests.filter(({ path }) => path.startsWith("/calendar/v3/"));
    const pages = calls.flatMap(({ path }, at) => (path.endsWith("/events") ? [at] : []));
    return { pages, outcome: await outcome(scene) };
  };
  const { pages, outcome: expected } = await play(null);
  expect(expected.almanac).toHaveLength(3 + 3 * 2);
  expect(pages).toHaveLength(3);
  for (const at of pages)
    expect((await play({ at, isDone: false })).outcome, `killed at request ${at}`).toEqual(expected);
});
