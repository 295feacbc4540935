import { describe, expect, it } from "vitest";
import type { Microsoft } from "./microsoft-person";
import { ADA, syncedMicrosoft } from "./microsoft-scene";
import { day, ours } from "./world";

const tzid = "Europe/Berlin";
const guests = { attendees: { invite: [{ email: "bob@example.com" }, { email: "cy@example.com" }] } };
const rules = [{ frequency: "daily", count: 10 }];
const exceptions = {
  add: [{ date: day(3) }],
  change: [
    { date: day(4), summary: "Renamed" },
    { date: day(5), start: `${day(5)}T18:00:00Z`, end: `${day(5)}T19:00:00Z` },
  ],
};
const series = (more: object = {}) => ours("one", { tzid, recurrence: { rules }, ...more });
const integrated = { conferencing: { profile_id: "integrated" } };

/** Requests by the names of the reference; parts of a batch are in `parts`. */
interface Spent {
  requests: Partial<Record<keyof typeof names, number>>;
  parts?: number;
}

const names = {
  create: /^POST \/events$/,
  get: /^GET \/events\/[^/]+$/,
  update: /^PATCH \/events\/[^/]+$/,
  delete: /^DELETE \/events\/[^/]+$/,
  instances: /^GET \/events\/[^/]+\/instances$/,
  batch: /^POST \/\$batch$/,
} as const;

function spent({ requests }: Microsoft): Spent {
  const counts: Spent["requests"] = {};
  let parts = 0;
  for (const { method, path, isPart } of requests.splice(0)) {
    if (isPart) parts += 1;
    if (isPart || !path.startsWith("/v1.0/")) continue;
    const line = `${method} ${path.replace(/^\/v1\.0(\/me\/calendars\/[^/]+)?/, "")}`;
    const name = (Object.keys(names) as (keyof typeof names)[]).find((one) => names[one].test(line));
    if (!name) throw new Error(`${line} is in no row of the table`);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return { requests: counts, ...(parts > 0 && { parts }) };
}

interface Task {
  task: string;
  /** What is at Microsoft before. */
  before?: object;
  /** What is written then. Null: it is deleted. */
  write?: object | null;
  /** What is written of one occurrence instead; null deletes it. */
  occurrence?: object | null;
  spends: Spent;
}

const changed = { requests: { get: 1, update: 1 } };

const tasks: Task[] = [
  { task: "creates an event", write: ours("one"), spends: { requests: { create: 1 } } },
  { task: "creates an event with guests", write: ours("one", guests), spends: { requests: { create: 1 } } },
  { task: "creates an event with a meeting", write: ours("one", integrated), spends: { requests: { create: 1 } } },
  { task: "creates a series", write: series(), spends: { requests: { create: 1 } } },
  {
    task: "creates a series with three exceptions",
    write: series({ recurrence: { rules, exceptions } }),
    spends: { requests: { create: 1, instances: 1, batch: 1 }, parts: 4 },
  },
  { task: "renames an event", before: ours("one"), write: ours("one", { summary: "New" }), spends: changed },
  { task: "invites guests", before: ours("one"), write: ours("one", guests), spends: changed },
  {
    task: "gives an event a description",
    before: ours("one"),
    write: ours("one", { description: "Agenda" }),
    spends: changed,
  },
  {
    task: "gives an event with a meeting a description, beside which the meeting's text stays",
    before: ours("one", integrated),
    write: ours("one", { description: "Agenda" }),
    spends: { requests: { get: 2, update: 1 } },
  },
  {
    task: "moves an event with a meeting",
    before: ours("one", integrated),
    write: ours("one", { start: `${day(3)}T14:00:00Z`, end: `${day(3)}T15:00:00Z` }),
    spends: changed,
  },
  { task: "deletes an event", before: ours("one"), write: null, spends: { requests: { delete: 1 } } },
  { task: "renames a series", before: series(), write: series({ summary: "New" }), spends: changed },
  {
    task: "renames a series with three exceptions, which is read again in the same batch",
    before: series({ recurrence: { rules, exceptions } }),
    write: series({ summary: "New" }),
    spends: { requests: { get: 1, batch: 1 }, parts: 2 },
  },
  {
    task: "moves a series with three exceptions, which are written again",
    before: series({ recurrence: { rules, exceptions } }),
    write: series({ start: `${day(2)}T15:00:00Z`, end: `${day(2)}T16:00:00Z` }),
    spends: { requests: { get: 1, batch: 2, instances: 1 }, parts: 2 + 4 },
  },
  {
    task: "cancels one occurrence",
    before: series(),
    occurrence: null,
    spends: { requests: { get: 1, instances: 1, batch: 1 }, parts: 2 },
  },
  {
    task: "renames one occurrence",
    before: series(),
    occurrence: { summary: "Renamed" },
    spends: { requests: { get: 1, instances: 1, batch: 1 }, parts: 2 },
  },
  {
    task: "renames one that is otherwise already, whose id is known",
    before: series({ recurrence: { rules, exceptions } }),
    occurrence: { summary: "Once more" },
    spends: { requests: { get: 1, batch: 1 }, parts: 2 },
  },
  {
    task: "brings back one that was cancelled, with the exceptions of the series",
    before: series({ recurrence: { rules, exceptions } }),
    write: series({ recurrence: { rules, exceptions: { add: [], change: exceptions.change } } }),
    spends: { requests: { get: 1, batch: 2, instances: 1 }, parts: 2 + 4 },
  },
];

describe("Graph is asked no more than this, one request at a time, when the application", () => {
  it.each(tasks)("$task", async ({ before, write, occurrence, spends }) => {
    const { fake, person, path } = await syncedMicrosoft();
    if (before) expect((await person.post(path, before)).status).toBe(202);
    await person.push();
    fake.requests.length = 0;
    fake.counters.reset();
    const named = { event_id: "one", occurrence_date: day(4) };
    if (write) expect((await person.post(path, write)).status).toBe(202);
    if (write === null) await person.remove(path, { event_id: "one" });
    if (occurrence) expect((await person.post(`${path}/occurrences`, { ...named, ...occurrence })).status).toBe(202);
    if (occurrence === null) await person.remove(path, named);
    await person.push();
    expect(spent(fake)).toEqual(spends);
    expect(fake.counters.mostAtOnce[ADA]).toBe(1);
  });
});

it("what Microsoft has already is not written", async () => {
  const { fake, person, path } = await syncedMicrosoft();
  for (const _ of ["first", "second"]) {
    fake.requests.length = 0;
    await person.post(path, series({ recurrence: { rules, exceptions }, ...guests, ...integrated }));
    await person.push();
  }
  expect(spent(fake).requests).toEqual({});
});
