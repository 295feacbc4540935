import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { address } from "../api/service";
import { type FakeClock, fakeClock } from "../fakes/clock";
import { mixedEvent } from "../fakes/google/mixed-events";
import { setSyncDue } from "../fakes/stored";
import { fileEnvironment } from "./file-environment";
import { connectGooglePerson, google } from "./google-person";
import { day, ours } from "./world";

fileEnvironment(() => ({ LOG_LEVEL: "error" }));

const EMAIL = "ada@example.com";
const HOUR_MS = 3_600_000;

let clock: FakeClock;
beforeEach(() => {
  clock = fakeClock();
});

/** Requests by the names of Google's reference; `token` is a refreshed access token. Methods that a task does not call are left out. */
type Spent = Partial<Record<(typeof methods)[number][0], number>>;

const methods = [
  ["calendarList.list", /^GET .*\/calendarList$/],
  ["calendarList.watch", /^POST .*\/calendarList\/watch$/],
  ["events.list", /^GET .*\/events$/],
  ["events.get", /^GET .*\/events\/[^/]+$/],
  ["events.insert", /^POST .*\/events$/],
  ["events.patch", /^PATCH .*\/events\/[^/]+$/],
  ["events.delete", /^DELETE .*\/events\/[^/]+$/],
  ["events.watch", /^POST .*\/events\/watch$/],
  ["channels.stop", /^POST .*\/channels\/stop$/],
  ["token", /^POST \/token$/],
] as const;

interface Options {
  /** Whether Google notifies us. */
  pushes?: boolean;
  pollMs?: number;
  /** What is in the calendar before. */
  events?: number;
}

/** Somebody whose calendar at Google was synced once, and what is asked of Google from then on. */
async function connected({ pushes = true, pollMs, events = 0 }: Options = {}) {
  const provider = await google();
  const { primary } = provider.account(EMAIL);
  for (let n = 0; n < events; n += 1) primary.putEvent(mixedEvent(n));
  const person = await connectGooglePerson(provider);
  const hook = `${await address()}/hooks/google`;
  const { syncing } = person.loops({
    ...(pushes && { hookUrl: () => hook }),
    ...(pollMs && { pollMs }),
    random: () => 0.5,
  });
  onTestFinished(() => syncing.stop());
  const spent = (): Spent => {
    const counts: Spent = {};
    for (const { method, path } of provider.requests.splice(0)) {
      const [name] = methods.find(([, pattern]) => pattern.test(`${method} ${path}`)) ?? [];
      if (!name) throw new Error(`${method} ${path} is in no row of the table`);
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  };
  /** All notices have come, and what they are about has been read. */
  const settled = async () => {
    await provider.notices.settled();
    await syncing.drain(60_000);
  };
  provider.requests.length = 0;
  await setSyncDue(person.profileId, new Date(clock.now()));
  await settled();
  const firstSync = spent();
  const calendarId = await person.calendarId(EMAIL);
  const path = `/v1/calendars/${calendarId}/events`;
  const write = async (event: object) => {
    expect((await person.post(path, event)).status).toBe(202);
    await person.push();
  };
  return { provider, person, primary, syncing, spent, settled, firstSync, calendarId, path, write };
}

type Scene = Awaited<ReturnType<typeof connected>>;

const at = (offset: number, time: string) => ({ dateTime: `${day(offset)}T${time}`, timeZone: "Europe/Berlin" });
const guests = { attendees: { invite: [{ email: "bob@example.com" }, { email: "cy@example.com" }] } };
const rules = [{ frequency: "daily", count: 10 }];
const exceptions = {
  add: [{ date: day(3) }],
  change: [
    { date: day(4), summary: "Renamed" },
    { date: day(5), start: `${day(5)}T18:00:00Z`, end: `${day(5)}T19:00:00Z` },
  ],
};
const series = (more: object = {}) => ours("series", { tzid: "Europe/Berlin", recurrence: { rules }, ...more });

interface Task {
  task: string;
  /** What happens before, which is not counted. */
  before?(scene: Scene): Promise<void>;
  happens(scene: Scene): Promise<void>;
  spends: Spent;
}

/** After a write Google notifies us of our own change: the list of changes is asked for once, and nothing else. */
const echo = { "events.list": 1 };

const tasks: Task[] = [
  {
    task: "others create an event",
    happens: async ({ primary }) =>
      void primary.putEvent({ summary: "Theirs", start: at(2, "10:00:00"), end: at(2, "11:00:00") }),
    spends: { "events.list": 1 },
  },
  {
    task: "others rename a series",
    before: async ({ primary }) =>
      void primary.putEvent({
        id: "theirs0",
        summary: "Theirs",
        start: at(2, "10:00:00"),
        end: at(2, "11:00:00"),
        recurrence: ["RRULE:FREQ=DAILY"],
      }),
    happens: async ({ primary }) => primary.changeEvent("theirs0", { summary: "Renamed" }),
    // Its exceptions, which have not changed, are asked for.
    spends: { "events.list": 2 },
  },
  {
    task: "others move one occurrence of a series",
    before: async ({ primary }) =>
      void primary.putEvent({
        id: "theirs0",
        summary: "Theirs",
        start: at(2, "10:00:00"),
        end: at(2, "11:00:00"),
        recurrence: ["RRULE:FREQ=DAILY"],
      }),
    happens: async ({ primary }) =>
      void primary.moveOccurrence("theirs0", at(4, "10:00:00"), {
        start: at(4, "15:00:00"),
        end: at(4, "16:00:00"),
      }),
    spends: { "events.list": 2 },
  },
  {
    task: "a guest replies",
    before: ({ write }) => write(ours("one", guests)),
    happens: async ({ primary }) => primary.reply(primary.events()[0]?.id ?? "", "bob@example.com", "accepted"),
    spends: { "events.list": 1 },
  },
  {
    task: "the application creates an event",
    happens: ({ write }) => write(ours("one")),
    spends: { "events.insert": 1, ...echo },
  },
  {
    task: "the application creates an event with guests",
    happens: ({ write }) => write(ours("one", guests)),
    spends: { "events.insert": 1, ...echo },
  },
  {
    task: "the application renames an event",
    before: ({ write }) => write(ours("one")),
    happens: ({ write }) => write(ours("one", { summary: "Renamed" })),
    spends: { "events.get": 1, "events.patch": 1, ...echo },
  },
  {
    task: "the application invites guests to an event",
    before: ({ write }) => write(ours("one")),
    happens: ({ write }) => write(ours("one", guests)),
    spends: { "events.get": 1, "events.patch": 1, ...echo },
  },
  {
    task: "the application writes what Google has already",
    before: ({ write }) => write(ours("one")),
    happens: ({ write }) => write(ours("one")),
    spends: {},
  },
  {
    task: "the application deletes an event",
    before: ({ write }) => write(ours("one")),
    happens: async ({ person, path }) => {
      await person.remove(path, { event_id: "one" });
      await person.push();
    },
    spends: { "events.delete": 1, ...echo },
  },
  {
    task: "the application creates an event with a meeting link that is there at once",
    happens: ({ write }) => write(ours("one", { conferencing: { profile_id: "integrated" } })),
    spends: { "events.insert": 1, ...echo },
  },
  {
    task: "the application creates an event whose meeting link takes a few seconds",
    happens: async ({ provider, write, settled }) => {
      provider.knobs.conference = { outcome: "success", pendingReads: 1 };
      await write(ours("one", { conferencing: { profile_id: "integrated" } }));
      for (const wait of [0, 1_100, 2_200]) {
        clock.advance(wait);
        await settled();
      }
    },
    // Looked for twice. Google notifies us of the link too, which is known by then.
    spends: { "events.insert": 1, "events.get": 2, "events.list": 2 },
  },
  {
    task: "the application creates a series with three exceptions",
    happens: ({ write }) => write(series({ recurrence: { rules, exceptions } })),
    // The day that is left out belongs to the rules.
    spends: { "events.insert": 1, "events.patch": 2, ...echo },
  },
  {
    task: "the application renames a series with three exceptions",
    before: ({ write }) => write(series({ recurrence: { rules, exceptions } })),
    happens: ({ write }) => write(series({ summary: "Another name" })),
    // The exceptions may have followed the series: they are asked for again, and have.
    spends: { "events.get": 1, "events.list": 2 + 1, "events.patch": 1 },
  },
  {
    task: "the application moves a series with three exceptions",
    before: ({ write }) => write(series({ recurrence: { rules, exceptions } })),
    happens: ({ write }) => write(series({ start: `${day(2)}T15:00:00Z`, end: `${day(2)}T16:00:00Z` })),
    // Google drops the exceptions of a series that moves: what it has left of them is asked for, and both are written again.
    spends: { "events.get": 1, "events.list": 2 + 1, "events.patch": 1 + 2 },
  },
  {
    task: "the application cancels one occurrence of a series",
    before: ({ write }) => write(series()),
    happens: async ({ person, path }) => {
      await person.remove(path, { event_id: "series", occurrence_date: day(4) });
      await person.push();
    },
    spends: { "events.get": 1, "events.list": 1 + 1, "events.patch": 1 },
  },
  {
    task: "the application renames one occurrence of a series",
    before: ({ write }) => write(series()),
    happens: async ({ person, path }) => {
      const renamed = { event_id: "series", occurrence_date: day(4), summary: "Renamed" };
      await person.post(`${path}/occurrences`, renamed);
      await person.push();
    },
    spends: { "events.get": 1, "events.list": 1 + 1, "events.patch": 1 },
  },
];

describe("with notices of changes, Google is asked no more than this when", () => {
  it.each(tasks)("$task", async ({ before, happens, spends }) => {
    const scene = await connected();
    await before?.(scene);
    await scene.settled();
    scene.spent();
    await happens(scene);
    await scene.settled();
    expect(scene.spent()).toEqual(spends);
  });
});

describe("a first sync asks Google", () => {
  const watching = { "calendarList.watch": 1, "events.watch": 1 };

  it("once for each list when the calendar has 10 events", async () => {
    const { firstSync, person, calendarId } = await connected({ events: 10 });
    expect(firstSync).toEqual({ "calendarList.list": 1, "events.list": 1, token: 1, ...watching });
    expect((await person.events(calendarId, { to: day(200) })).length).toBeGreaterThan(0);
  });

  it("for four pages when the calendar has 10,000 events", async () => {
    const { firstSync, provider, person, settled } = await connected({ events: 10_000 });
    expect(firstSync).toEqual({ "calendarList.list": 1, "events.list": 4, token: 1, ...watching });
    expect(await person.profile()).toMatchObject({ initial_sync_required: false, sync_error: null });
    await settled();
    expect(provider.requests).toEqual([]);
  });
});

describe("an account in which nothing happens", () => {
  /** Every poll that is due in the time is made when it is due. */
  const idleFor = async ({ provider, person, settled }: Scene, hours: number) => {
    const end = clock.now() + hours * HOUR_MS;
    for (;;) {
      const wait = Math.ceil(Number((await person.profile()).due_in) * 1_000);
      if (clock.now() + wait > end) return;
      clock.advance(wait);
      provider.advance(wait);
      await settled();
    }
  };

  it("costs four polls a day when Google notifies us, each with a token of its own", async () => {
    const scene = await connected();
    await idleFor(scene, 24);
    expect(scene.spent()).toEqual({ "calendarList.list": 4, "events.list": 4, token: 4 });
  });

  it("has each of its channels replaced twice a week", async () => {
    const scene = await connected();
    await idleFor(scene, 7 * 24 + 1);
    const { "calendarList.watch": list, "events.watch": events, "channels.stop": stopped } = scene.spent();
    expect({ list, events, stopped }).toEqual({ list: 2, events: 2, stopped: 4 });
    expect(scene.provider.channels.filter((channel) => !channel.stopped)).toHaveLength(2);
  });

  it("costs one poll each half an hour if it is polled so, when Google cannot notify us, and a token each hour", async () => {
    const scene = await connected({ pushes: false, pollMs: 1_800_000 });
    await idleFor(scene, 24);
    expect(scene.spent()).toEqual({ "calendarList.list": 48, "events.list": 48, token: 24 });
  });
});
