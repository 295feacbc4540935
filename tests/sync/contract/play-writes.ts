import { expect } from "vitest";
import { fakeClock } from "../../fakes/clock";
import type { Receiver } from "../../fakes/receiver";
import { signalsOf } from "../../fakes/stored-signals";
import { watch } from "../world";
import { keptSeries } from "./kept-series";
import { lostResponses } from "./lost-responses";
import { mergedFields } from "./merged-fields";
import { NOW } from "./scenario";
import { type Loss, type Side, ZONE } from "./side";
import type { Acting, Scenario, Step } from "./write-scenario";
import { writes } from "./writes";

/** How what the application wrote comes to its provider. */
export interface Way {
  /** The profile is synced while the writes wait. */
  readsFirst?: true;
  /** The provider does what each request of a write asks for, and nobody learns of it before the write is tried again. */
  loses?: Loss;
  /** The profile is synced before the writes are tried again. */
  readsBetween?: true;
}

/** Of all of them the outcome is the same. */
export const ways = {
  "as they are written": {},
  "after a read that comes first": { readsFirst: true },
  "with a 503 in place of each response": { loses: "503" },
  "with connections that break before each response, and a read between": { loses: "break", readsBetween: true },
} as const satisfies Record<string, Way>;

const scenarios: readonly Scenario[] = [...writes, ...keptSeries, ...mergedFields, ...lostResponses];

interface Playing extends Scenario {
  side: Side;
  acting: Acting;
}

/** With the step that is its turn. */
interface Turn extends Playing {
  step: Step;
}

/** Plays all scenarios, each in a calendar of its own, step by step, and looks after each what reads and the other person say of its event. */
export async function playWrites(open: () => Promise<Side>, receiver: Receiver, way: Way = {}): Promise<void> {
  const time = fakeClock(NOW);
  const side = await open();
  const isPossible = ({ needsProvider, rewritesDays }: Scenario) =>
    (!needsProvider || side.provider) && !(rewritesDays && way.loses && side.provider?.losesDays);
  const all = await started(side, scenarios.filter(isPossible));
  const { settled, forget } = await watch(side, receiver);
  const most = Math.max(...all.map(({ steps }) => steps.length));
  for (let i = 0; i < most; i += 1) {
    const turns = all.flatMap((one) => one.steps.slice(i, i + 1).map((step) => ({ ...one, step })));
    // The rate limit of the account.
    time.advance(60_000);
    side.provider?.clearMails?.();
    await played(side, turns, way);
    const notified = await notifiedOf(turns);
    const isNotified = ({ step }: Turn) => step.notifies === true && side.provider !== undefined;
    expect(notified).toEqual(turns.filter(isNotified).map(({ name }) => name));
    expect(await settled()).toEqual(notified.length > 0 ? ["change"] : []);
    forget();
    await check(turns);
  }
  await side.provider?.forgetTokens();
  await side.settled();
  const last = all.flatMap((one) => one.steps.slice(-1).map((step) => ({ ...one, step })));
  expect(await readsOf(last)).toEqual(expectedOf(last));
  expect(await settled()).toEqual([]);
}

async function started(side: Side, possible: readonly Scenario[]): Promise<Playing[]> {
  const sides = await side.calendars(possible.map(({ name }) => name));
  return sides.flatMap((own, i) =>
    possible.slice(i, i + 1).map((one) => ({ ...one, side: own, acting: acting(own, one) })),
  );
}

async function played(side: Side, turns: readonly Turn[], way: Way): Promise<void> {
  const { provider } = side;
  const isBefore = ({ step }: Turn) => step.isRead === true;
  for (const { step, acting } of turns.filter(isBefore)) await step.others?.(acting);
  if (turns.some(isBefore)) await provider?.sync();
  for (const { step, acting } of turns.filter((one) => !isBefore(one))) await step.others?.(acting);
  for (const { step, acting } of turns) await step.does?.(acting);
  const known = turns.filter(({ step }) => !step.follows && (!step.others || step.isRead || !provider));
  expect(await readsOf(known)).toEqual(expectedOf(known));
  if (way.readsFirst) await provider?.sync();
  if (way.loses) await provider?.losing(way.loses, provider.push);
  else await provider?.push();
  if (way.readsBetween) await provider?.sync();
  for (const { step, acting } of turns) await step.follows?.(acting);
  await side.settled();
}

/** In whose calendars the application is notified of a change. */
async function notifiedOf(turns: readonly Turn[]): Promise<string[]> {
  const changed = new Set<string>();
  for (const accountId of new Set(turns.map(({ side }) => side.accountId)))
    for (const { kind, subject } of await signalsOf(accountId)) if (kind === "change") changed.add(subject);
  return turns.filter(({ side }) => changed.has(side.calendarId)).map(({ name }) => name);
}

async function check(turns: readonly Turn[]): Promise<void> {
  const events = await eventsOf(turns);
  expect(await readsOf(turns)).toEqual(expectedOf(turns));
  for (const { name, step } of turns) {
    const all = events.get(name) ?? [];
    expect(all.map(({ event_id }) => event_id)).toEqual(all.map(() => name));
    const [first] = all;
    if (step.fields) expect({ name, ...first }).toMatchObject({ name, ...step.fields });
  }
  for (const { name, side, step, guest } of turns) {
    if (!side.provider) continue;
    const seen = step.reads.length > 0 ? [step.seen ?? {}] : [];
    expect({ name, seen: await side.provider.seen() }).toMatchObject({ name, seen });
    const mails = side.provider.mails?.().filter(({ to }) => to === guest);
    if (mails && guest) expect({ name, mails: mails.map(({ kind }) => kind) }).toEqual({ name, mails: step.mails });
  }
}

function acting({ calendarId, others, post, remove }: Side, { name, event: fields }: Scenario): Acting {
  const path = `/v1/calendars/${calendarId}/events`;
  const event = { event_id: name, summary: name, description: "", ...fields };
  const of = (date: string) => ({ event_id: name, occurrence_date: date });
  const accepted = async (answer: ReturnType<typeof post>) => {
    const { status, text } = await answer;
    expect([name, status, text]).toEqual([name, 202, ""]);
  };
  const skip = (date: string) => remove(path, of(date));
  const change = (date: string, changes: object) => post(`${path}/occurrences`, { ...of(date), ...changes });
  return {
    write: (changes = {}) => accepted(post(path, { ...event, ...changes })),
    skip: (date) => accepted(skip(date)),
    change: (date, changes) => accepted(change(date, changes)),
    hasNot: async (date) => {
      const refused = { status: 422, json: { errors: { occurrence_date: [{ key: "errors.not_an_occurrence" }] } } };
      expect([await skip(date), await change(date, { summary: "Never" })]).toMatchObject([refused, refused]);
    },
    remove: () => accepted(remove(path, { event_id: name })),
    others,
    event,
  };
}

interface ReadEvent {
  calendar_id: string;
  event_id: string;
  start: string;
  summary: string;
}

/** By the names of the scenarios. */
async function eventsOf(turns: readonly Turn[]): Promise<Map<string, ReadEvent[]>> {
  const accounts = new Map(turns.map(({ side }) => [side.accountId, side]));
  const query = { from: "2025-06-02", to: "2025-07-01", tzid: ZONE, localized_times: "true", include_managed: "true" };
  const all: ReadEvent[] = [];
  for (const { get } of accounts.values()) {
    const { status, json } = await get("/v1/events", query);
    expect([status, json.pages?.total]).toEqual([200, 1]);
    all.push(...json.events);
  }
  return new Map(turns.map(({ name, side }) => [name, all.filter((one) => one.calendar_id === side.calendarId)]));
}

async function readsOf(turns: readonly Turn[]): Promise<object> {
  const legible = ({ start, summary }: ReadEvent) => [start.slice(0, 16), summary];
  return Object.fromEntries([...(await eventsOf(turns))].map(([name, events]) => [name, events.map(legible)]));
}

function expectedOf(turns: readonly Turn[]): object {
  return Object.fromEntries(turns.map(({ name, step }) => [name, step.reads]));
}
