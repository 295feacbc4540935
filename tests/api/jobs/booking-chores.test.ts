import { beforeEach, expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { chores } from "@/server/jobs/chores";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import { at, basic } from "../availability";
import { ownDatabase } from "../own-database";
import { type Application, call, newApplication, type Opened, openCalendar } from "../service";

const DAY = 86_400_000;
const MINUTE = 60_000;

let clock: FakeClock;
let application: Application;
let ada: Opened;
let ben: Opened;

ownDatabase(() => ({ LOG_LEVEL: "fatal" }));
beforeEach(async () => {
  clock = fakeClock();
  application = await newApplication();
  [ada, ben] = [await openCalendar(application), await openCalendar(application)];
});

/** Time passes, and what is due every hour and every night is done. */
async function pass(milliseconds: number) {
  clock.advance(milliseconds);
  for (const chore of ["clear-expired-holds", ...(milliseconds >= DAY ? ["forget-bookings"] : [])]) {
    await chores[chore]?.work(db(), clock.now() as Instant, () => true);
  }
}

/** Time so many days from the test's clock. */
function on(days: number, time: string): string {
  return at(days + Math.round((clock.now() - Date.now()) / DAY), time);
}

async function book(more: { event?: object; [field: string]: unknown } = {}) {
  const { event, ...rest } = more;
  const answer = await call("POST", "/v1/bookings", {
    headers: basic(application),
    json: {
      calendar_id: ada.calendarId,
      event: { event_id: crypto.randomUUID(), summary: "Secret", start: on(1, "09:00"), end: on(1, "10:00"), ...event },
      require_free: [ada, ben].map(({ accountId }) => ({ sub: accountId })),
      ...rest,
    },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.booking_id as string;
}

const stored = (id: string) => db().prisma.booking.findUnique({ where: { id }, include: { calendars: true } });
const state = async (id: string) =>
  (await call("GET", `/v1/bookings/${id}`, { headers: basic(application) })).json?.state ?? "gone";

it("the text of a hold is forgotten within the hour after its end, and its time in the night", async () => {
  const id = await book({ hold_seconds: 600 });
  await pass(9 * MINUTE);
  expect(JSON.stringify((await stored(id))?.event)).toContain("Secret");
  await pass(6 * MINUTE);
  expect(await stored(id)).toMatchObject({ event: null, heldStarts: [], heldEnds: [] });
  expect(await state(id)).toBe("expired");
  await pass(2 * DAY);
  expect((await stored(id))?.calendars).toEqual([]);
  expect(await state(id)).toBe("expired");
  await pass(31 * DAY);
  expect(await state(id)).toBe("gone");
});

it("a booking takes nobody's time any more once its event has been over for a day, and is forgotten a month later", async () => {
  const id = await book();
  const held = await book({ event: { start: on(1, "12:00"), end: on(1, "13:00") }, hold_seconds: 900 });
  await call("POST", `/v1/bookings/${held}/confirm`, { headers: basic(application) });
  await pass(DAY);
  for (const one of [id, held]) expect((await stored(one))?.calendars).toHaveLength(2);
  await pass(2 * DAY);
  for (const one of [id, held]) expect((await stored(one))?.calendars).toEqual([]);
  expect(await state(id)).toBe("booked");
  expect((await call("DELETE", `/v1/bookings/${held}`, { headers: basic(application) })).status).toBe(202);
  await pass(27 * DAY);
  expect(await state(id)).toBe("booked");
  await pass(4 * DAY);
  expect(await state(id)).toBe("gone");
});

it("a series takes its time until its last occurrence, and one without an end for ever", async () => {
  const weekly = (more: object) => ({ tzid: "Etc/UTC", recurrence: { rules: [{ frequency: "weekly", ...more }] } });
  const six = await book({ event: weekly({ count: 6 }) });
  const endless = await book({ event: { ...weekly({}), start: on(1, "12:00"), end: on(1, "13:00") } });
  await pass(34 * DAY);
  expect((await stored(six))?.calendars).toHaveLength(2);
  await pass(5 * DAY);
  expect((await stored(six))?.calendars).toEqual([]);
  expect((await stored(endless))?.calendars).toHaveLength(2);
  expect(await state(endless)).toBe("booked");
});

it("a booking whose event was deleted, and one that moved to later, stay as long as they would otherwise", async () => {
  const [gone, later] = [
    await book(),
    await book({ event: { event_id: "later", start: on(1, "12:00"), end: on(1, "13:00") } }),
  ];
  const { eventId } = (await stored(gone)) ?? {};
  await ada.remove(`/v1/calendars/${ada.calendarId}/events`, { event_id: eventId });
  await ada.write({ event_id: "later", summary: "Later", start: on(60, "12:00"), end: on(60, "13:00") });
  await pass(3 * DAY);
  expect((await stored(gone))?.calendars).toEqual([]);
  expect(await state(gone)).toBe("cancelled");
  expect((await stored(later))?.calendars).toHaveLength(2);
  await pass(32 * DAY);
  expect(await state(gone)).toBe("gone");
  expect(await state(later)).toBe("booked");
});
