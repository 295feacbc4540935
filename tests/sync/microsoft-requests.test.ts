import { beforeEach, describe, expect, it } from "vitest";
import { type FakeClock, fakeClock } from "../fakes/clock";
import type { AccountState } from "../fakes/microsoft/account-state";
import { fileEnvironment } from "./file-environment";
import type { Microsoft } from "./microsoft-person";
import { timed, watchedMicrosoft } from "./microsoft-scene";
import { day, ours } from "./world";

fileEnvironment(() => ({ LOG_LEVEL: "error" }));

const HOUR_MS = 3_600_000;

let clock: FakeClock;
beforeEach(() => {
  clock = fakeClock();
});

/** Requests by what they are for; parts of a batch are in their batch. */
const names = [
  ["calendars", /^GET \/me\/calendars$/],
  ["delta", /^GET .*\/calendarView\/delta$/],
  ["changed since", /^GET .*\/events$/],
  ["event", /^GET .*\/events\/[^/]+$/],
  ["create", /^POST .*\/events$/],
  ["subscribe", /^POST \/subscriptions$/],
  ["renew", /^PATCH \/subscriptions\/[^/]+$/],
  ["batch", /^POST \/\$batch$/],
  ["token", /^POST \/token$/],
  ["settings", /^GET \/me\/mailboxSettings$/],
] as const;

function spent({ requests }: Microsoft): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { method, path, isPart } of requests.splice(0)) {
    if (isPart) continue;
    const line = `${method} ${path.replace(/^\/v1\.0|^\/organizations\/oauth2\/v2\.0/, "")}`;
    const [name] = names.find(([, pattern]) => pattern.test(line)) ?? [];
    if (!name) throw new Error(`${line} is in no row of the table`);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

type Scene = Awaited<ReturnType<typeof watchedMicrosoft>>;

interface Task {
  task: string;
  /** What happens before, which is not counted. */
  before?(scene: Scene): Promise<unknown>;
  happens(scene: Scene): Promise<void>;
  spends: Record<string, number>;
}

const daily = {
  pattern: { type: "daily" as const, interval: 1 },
  range: { type: "numbered" as const, startDate: day(2), numberOfOccurrences: 10 },
};
const guests = { attendees: { invite: [{ email: "bob@example.com" }] } };
const fill = ({ primary }: AccountState) => void primary.putEvent({ subject: "Long there", ...timed(1) });
/** A round of change tracking, and the list of what it says nothing of. */
const round = { delta: 1, "changed since": 1 };

async function write({ person, calendarId, noticed }: Scene, event: object): Promise<void> {
  expect((await person.post(`/v1/calendars/${calendarId}/events`, event)).status).toBe(202);
  await person.push();
  await noticed();
}

const tasks: Task[] = [
  {
    task: "others create an event",
    happens: async ({ calendar }) => void calendar.putEvent({ subject: "Theirs", ...timed(2) }),
    spends: round,
  },
  {
    task: "others rename a series",
    before: async ({ calendar, noticed }) => {
      calendar.putEvent({ subject: "Theirs", ...timed(2), recurrence: daily });
      await noticed();
    },
    happens: async ({ calendar }) => {
      const series = calendar.events().find(({ subject }) => subject === "Theirs");
      calendar.changeEvent(series?.id ?? "", { subject: "Renamed" });
    },
    spends: { ...round, event: 1 },
  },
  {
    task: "the application creates an event with a guest",
    happens: (scene) => write(scene, ours("one", { ...guests, ...span })),
    spends: { create: 1, ...round },
  },
];

const span = { start: `${day(2)}T10:00:00Z`, end: `${day(2)}T11:00:00Z` };

describe("the requests to Microsoft", () => {
  it.each(tasks)("when $task", async ({ before, happens, spends }) => {
    const scene = await watchedMicrosoft({ fill });
    await before?.(scene);
    spent(scene.fake);
    await happens(scene);
    await scene.noticed();
    expect(spent(scene.fake)).toEqual(spends);
  });

  it("of an account in which nothing happens for a day are its polls every six hours, each with a new access token", async () => {
    const { fake, syncing } = await watchedMicrosoft({ fill });
    for (let hour = 0; hour < 24; hour += 1) {
      clock.advance(HOUR_MS);
      fake.advance(HOUR_MS);
      await syncing.drain(60_000);
    }
    const { calendars = 0, settings = 0, ...others } = spent(fake);
    expect([3, 4]).toContain(calendars);
    // A fourth poll comes when the time zone of the mailbox was read a day ago.
    expect(settings).toBe(calendars - 3);
    expect(others).toEqual({ delta: calendars, "changed since": calendars, token: calendars });
  });
});
