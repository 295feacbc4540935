import { expect, it } from "vitest";
import { at } from "./availability";
import { newProcessServices, type Opened, openCalendar } from "./service";

// A client that keeps its own copy of a calendar: after each change it reads again only what the feed names. Its copy has to equal what GET /v1/events
// returns, whatever the application and others do.

interface Row {
  event_uid: string;
  series_identifier?: string;
  event_id?: string;
}

const STEPS = Number(process.env.MODEL_STEPS ?? 50);
/** The steps of one limiter: a client of its own would be slowed down. */
const STEPS_OF_LIMITER = 25;

/** The next number from 0 up to `below`, always the same from the same seed (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

async function listed({ get }: Opened): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  let path = "/v1/events";
  let query: Record<string, string> | undefined = { tzid: "Etc/UTC", include_managed: "true" };
  for (;;) {
    const { status, json, text } = await get(path, query);
    expect(status, text).toBe(200);
    for (const event of json.events as Row[]) rows.set(event.event_uid, event);
    if (!json.pages.next_page) return rows;
    path = json.pages.next_page.slice(json.pages.next_page.indexOf("/v1/"));
    query = undefined;
  }
}

class Copy {
  readonly rows = new Map<string, Row>();
  private cursor: string | null = null;
  readonly ids = new Set<string>();

  constructor(private readonly calendar: Opened) {}

  async catchUp(): Promise<void> {
    const named: { event_uid: string; series_identifier?: string }[] = [];
    for (;;) {
      const query: Record<string, string> = this.cursor ? { cursor: this.cursor, limit: "7" } : { from: "beginning" };
      const { status, json, text } = await this.calendar.get("/v1/changes", query);
      expect(status, text).toBe(200);
      for (const change of json.changes) {
        expect(this.ids.has(change.id)).toBe(false);
        this.ids.add(change.id);
      }
      named.push(...json.changes);
      this.cursor = json.cursor;
      if (!json.has_more) break;
    }
    const now = named.length > 0 ? await listed(this.calendar) : new Map<string, Row>();
    // As the guide has it: one name, which stays when an event becomes a series or is none any more.
    const nameOf = ({ event_uid, series_identifier }: Row) => series_identifier ?? event_uid;
    const names = new Set(named.map(nameOf));
    const known = (row: Row) => names.has(nameOf(row));
    for (const [uid, row] of this.rows) if (known(row)) this.rows.delete(uid);
    for (const [uid, row] of now) if (known(row)) this.rows.set(uid, row);
  }
}

it(`a client that follows the feed has the calendar after each of ${STEPS} random changes by two`, async () => {
  const seed = Number(process.env.MODEL_SEED ?? 20261128);
  const random = randomOf(seed);
  const calendar = await openCalendar();
  const { calendarId } = calendar;
  const copy = new Copy(calendar);
  const path = `/v1/calendars/${calendarId}/events`;
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const summary = () => pick(["Review", "Stand-up", "Lunch", "Call"]);
  const span = () => {
    const [day, hour] = [random(20), random(20)];
    const time = (one: number) => `${String(one).padStart(2, "0")}:00`;
    return { start: at(day, time(hour)), end: at(day, time(hour + 1 + random(3))) };
  };
  const rule = () => ({
    rules: [{ frequency: pick(["daily", "weekly"]), interval: 1 + random(2), count: 2 + random(6) }],
  });
  const own = () => `e${random(8)}`;
  const theirs = async () => {
    const uids = [...(await listed(calendar)).values()].filter((row) => !row.event_id).map((row) => row.event_uid);
    return uids.length > 0 ? pick(uids) : null;
  };
  const play = (type: string, more: object) =>
    calendar.post("/v1/sandbox/changes", { type, calendar_id: calendarId, ...more });
  const guests = () => ({
    invite: [{ email: `g${random(3)}@acme.io` }],
    remove: random(2) ? [] : [{ email: `g${random(3)}@acme.io` }],
  });
  const acts: (() => Promise<unknown>)[] = [
    () => calendar.post(path, { event_id: own(), summary: summary(), ...span() }),
    () => calendar.post(path, { event_id: own(), summary: summary(), ...span(), tzid: "Etc/UTC", recurrence: rule() }),
    () => calendar.post(path, { event_id: own(), summary: summary(), ...span(), recurrence: null }),
    () =>
      calendar.post(path, {
        event_id: own(),
        summary: summary(),
        ...span(),
        attendees: guests(),
        notify_attendees: false,
      }),
    () => calendar.remove(path, { event_id: own() }),
    async () => {
      const rows = [...(await listed(calendar)).values()].filter(
        (row) => row.event_id && row.series_identifier,
      ) as (Row & { occurrence_date: string })[];
      if (rows.length === 0) return;
      const { event_id, occurrence_date } = pick(rows);
      await (random(2)
        ? calendar.post(`${path}/occurrences`, { event_id, occurrence_date, summary: summary(), ...span() })
        : calendar.remove(path, { event_id, occurrence_date }));
    },
    () =>
      play("event_created", {
        event: { summary: summary(), ...span() },
        ...(random(2) && { organizer: { email: "boss@acme.io" } }),
      }),
    async () => {
      const event_uid = await theirs();
      if (event_uid) await play("event_changed", { event_uid, event: { summary: summary(), ...span() } });
    },
    async () => {
      const event_uid = await theirs();
      if (event_uid) await play("event_deleted", { event_uid });
    },
    () => play("event_changed", { event_id: own(), event: { summary: summary(), ...span() } }),
    () => play("event_deleted", { event_id: own() }),
    () =>
      play("guest_replied", {
        event_id: own(),
        email: `g${random(3)}@acme.io`,
        status: pick(["accepted", "declined"]),
      }),
  ];
  let changed = 0;
  for (let step = 0; step < STEPS; step++) {
    if (step % STEPS_OF_LIMITER === 0) await newProcessServices();
    for (let act = random(3); act >= 0; act--) await pick(acts)();
    const before = copy.ids.size;
    await copy.catchUp();
    changed += copy.ids.size - before;
    const sorted = (rows: ReadonlyMap<string, Row>) => [...rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
    expect(sorted(copy.rows), `seed ${seed}, step ${step}`).toEqual(sorted(await listed(calendar)));
  }
  expect(changed).toBeGreaterThan(STEPS / 2);
});
