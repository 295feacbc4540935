import fc from "fast-check";
import { expect, it } from "vitest";
import { changeAccount } from "../fakes/stored";
import { ask } from "./availability";
import { newApplication, type Opened, openCalendar } from "./service";

// An oracle of POST /v1/availability that walks through cells of five minutes and asks the platform's own calendar what they are called. It shares
// nothing with the service but the contract.

const CELL_MS = 5 * 60_000;
const DAY_MS = 86_400_000;
const DAYS = 3;
const zones = ["Europe/Berlin", "America/New_York", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu"];
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

interface ModelEvent {
  /** In cells after the base. */
  start: number;
  cells: number;
  /** Null: it has times. Else it is so many days long. */
  days: number | null;
  isFree: boolean;
}

interface ModelMember {
  zone: string;
  events: ModelEvent[];
  within: { start: number; cells: number }[] | null;
}

const cellsOf = (most: number) => fc.integer({ min: 0, max: most / 5 });
const inWindow = fc.integer({ min: 0, max: (DAYS * DAY_MS) / CELL_MS });
const event = fc.record({
  start: inWindow,
  cells: cellsOf(300),
  days: fc.option(fc.integer({ min: 1, max: 2 }), { freq: 6 }),
  isFree: fc.boolean(),
});
const member = fc.record({
  zone: fc.constantFrom(...zones),
  events: fc.array(event, { maxLength: 9 }),
  within: fc.option(
    fc.array(fc.record({ start: inWindow, cells: fc.integer({ min: 6, max: 300 }) }), { minLength: 1, maxLength: 3 }),
    { freq: 4 },
  ),
});
const question = fc.record({
  members: fc.array(member, { minLength: 1, maxLength: 4 }),
  groups: fc.array(fc.record({ picks: fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }), short: fc.nat(2) }), {
    minLength: 1,
    maxLength: 3,
  }),
  base: fc.constantFrom("plain", "Europe/Berlin", "America/New_York"),
  duration: fc.integer({ min: 1, max: 24 }),
  before: cellsOf(30),
  after: cellsOf(30),
  hours: fc.option(
    fc.record({
      zone: fc.constantFrom(...zones),
      start: fc.integer({ min: 4, max: 10 }),
      length: fc.integer({ min: 1, max: 9 }),
      days: fc.subarray(weekdays, { minLength: 1 }),
    }),
    { freq: 3 },
  ),
});
type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

const iso = (at: number) => new Date(at).toISOString().replace(".000", "");

/** The last midnight in UTC before the next change of the clocks in a zone. */
function baseOf(zone: string): number {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  if (zone === "plain") return today + 4 * DAY_MS;
  const offset = (at: number) =>
    new Date(at).toLocaleTimeString("en", { timeZone: zone, timeZoneName: "longOffset" }).split("GMT")[1];
  for (let day = today + 2 * DAY_MS; ; day += DAY_MS) if (offset(day) !== offset(day + DAY_MS)) return day - DAY_MS;
}

const formats = new Map<string, Intl.DateTimeFormat>();
function local(at: number, zone: string): { date: string; weekday: string; hour: number } {
  const options = {
    timeZone: zone,
    weekday: "long",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    hourCycle: "h23",
  } as const;
  const format = formats.get(zone) ?? new Intl.DateTimeFormat("en", options);
  formats.set(zone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    date: `${parts.year}-${parts.month}-${parts.day}`,
    weekday: String(parts.weekday).toLowerCase(),
    hour: Number(parts.hour),
  };
}

const nextDate = (date: string, days: number) => iso(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).slice(0, 10);

/** The dates of an all-day event: from the date that its start has in UTC. */
function datesOf({ start, days }: ModelEvent, base: number): { first: string; end: string } {
  const first = iso(base + start * CELL_MS).slice(0, 10);
  return { first, end: nextDate(first, days ?? 0) };
}

function isBusy({ zone, events }: ModelMember, at: number, base: number): boolean {
  return events.some((one) => {
    if (one.isFree) return false;
    const starts = base + one.start * CELL_MS;
    if (one.days === null) return at >= starts && at < starts + one.cells * CELL_MS;
    const { first, end } = datesOf(one, base);
    const { date } = local(at, zone);
    return date >= first && date < end;
  });
}

function expected(
  { members, groups, duration, before, after, hours }: Question,
  base: number,
): { start: string; who: number[] }[] {
  const cells = (DAYS * DAY_MS) / CELL_MS;
  const margin = 12;
  const at = (cell: number) => base + cell * CELL_MS;
  const busy = members.map((one) =>
    Array.from({ length: cells + 2 * margin }, (_, i) => isBusy(one, at(i - margin), base)),
  );
  const isOpen = Array.from({ length: cells }, (_, cell) => {
    if (!hours) return true;
    const { weekday, hour } = local(at(cell), hours.zone);
    return hours.days.includes(weekday) && hour >= hours.start && hour < hours.start + hours.length;
  });
  const isWithin = ({ within }: ModelMember, cell: number) =>
    within === null || within.some(({ start, cells }) => cell >= start && cell < start + cells);
  const isFree = (index: number, cell: number) => {
    const one = members[index] as ModelMember;
    for (let i = cell - before; i < cell + duration + after; i++) if (busy[index]?.[i + margin]) return false;
    for (let i = cell; i < cell + duration; i++) if (!isWithin(one, i)) return false;
    return true;
  };
  const named = [...new Set(groups.flatMap((group) => picked(group, members.length)))];
  const slots: { start: string; who: number[] }[] = [];
  for (let cell = 0; cell + duration <= cells; cell++) {
    if (!isOpen.slice(cell, cell + duration).every(Boolean)) continue;
    const free = named.filter((index) => isFree(index, cell));
    const isEnough = groups.every(
      (group) =>
        picked(group, members.length).filter((index) => free.includes(index)).length >= needed(group, members.length),
    );
    if (isEnough) slots.push({ start: iso(at(cell)), who: free });
  }
  return slots;
}

type Group = Question["groups"][number];
const picked = ({ picks }: Group, count: number) => [...new Set(picks.map((pick) => pick % count))];
const needed = (group: Group, count: number) => Math.max(1, picked(group, count).length - group.short);

async function write(calendar: Opened, { start, cells, days, isFree }: ModelEvent, base: number): Promise<void> {
  const transparency = isFree ? "transparent" : "opaque";
  const event = { event_id: crypto.randomUUID(), summary: "Taken", transparency };
  if (days !== null) {
    const { first, end } = datesOf({ start, cells, days, isFree }, base);
    return await calendar.write({ ...event, start: first, end });
  }
  const starts = base + start * CELL_MS;
  await calendar.write({ ...event, start: iso(starts), end: iso(starts + cells * CELL_MS) });
}

async function answered(given: Question, base: number): Promise<{ start: string; who: number[] }[]> {
  const application = await newApplication();
  const calendars: Opened[] = [];
  for (const { zone, events } of given.members) {
    const calendar = await openCalendar(application);
    await changeAccount(calendar.accountId, { defaultTzid: zone });
    await Promise.all(events.map((event) => write(calendar, event, base)));
    calendars.push(calendar);
  }
  const period = (start: number, cells: number) => ({
    start: iso(base + start * CELL_MS),
    end: iso(base + (start + cells) * CELL_MS),
  });
  const listed = (index: number) => {
    const within = given.members[index]?.within ?? null;
    return {
      sub: calendars[index]?.accountId,
      ...(within && { available_periods: within.map(({ start, cells }) => period(start, cells)) }),
    };
  };
  const { hours, duration, before, after } = given;
  const found: { start: string; who: number[] }[] = [];
  // Slots of five minutes do not fit into one answer: one for each half day.
  for (let start = 0; start < DAYS * 288; start += 144) {
    const answer = await ask(application, {
      participants: given.groups.map((group) => ({
        members: picked(group, calendars.length).map(listed),
        required: needed(group, calendars.length),
      })),
      required_duration: { minutes: duration * 5 },
      buffer: { before: { minutes: before * 5 }, after: { minutes: after * 5 } },
      query_periods: [period(start, Math.min(144 + duration - 1, DAYS * 288 - start))],
      response_format: "overlapping_slots",
      start_interval: { minutes: 5 },
      ...(hours && {
        tzid: hours.zone,
        working_hours: hours.days.map((day) => ({
          day,
          start: `${String(hours.start).padStart(2, "0")}:00`,
          end: `${String(hours.start + hours.length).padStart(2, "0")}:00`,
        })),
      }),
    });
    expect(answer.status, answer.text).toBe(200);
    for (const slot of answer.json.available_slots as { start: string; participants: { sub: string }[] }[]) {
      if (Date.parse(slot.start) >= base + (start + 144) * CELL_MS) continue;
      const who = slot.participants.map(({ sub }) => calendars.findIndex(({ accountId }) => accountId === sub));
      found.push({ start: slot.start, who });
    }
  }
  return found;
}

const RUNS = Number(process.env.MODEL_RUNS ?? 12);

it("offers exactly the slots that a walk through all cells of five minutes finds", async () => {
  let offered = 0;
  await fc.assert(
    fc.asyncProperty(question, async (given) => {
      const base = baseOf(given.base);
      const found = await answered(given, base);
      offered += found.length;
      expect(found).toEqual(expected(given, base));
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  expect(offered).toBeGreaterThan(RUNS);
});
