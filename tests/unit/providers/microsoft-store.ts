import type { Instant } from "@/server/domain/time/instant";
import type { ChangesEnd, RemoteEvent } from "@/server/providers/connector";
import { changes } from "@/server/providers/microsoft/changes";
import type { adaAtMicrosoft } from "./microsoft-ada";

const DAY_MS = 86_400_000;
/** 2027-01-01 until 2027-07-01. */
export const YEAR_BEGINS = { from: Date.UTC(2027, 0) as Instant, to: Date.UTC(2027, 6) as Instant };

/** What a calendar's events are stored as: each round of reading changes them as the engine would. */
export function storeOf({ api, calendar }: Pick<Awaited<ReturnType<typeof adaAtMicrosoft>>, "api" | "calendar">) {
  const events = new Map<string, RemoteEvent>();
  let syncToken: string | null = null;
  const known = async (ids: readonly string[]) =>
    new Map(
      ids.flatMap((id) => {
        const event = events.get(id);
        return event ? [[id, { version: event.version, parts: event.parts ?? {} }] as const] : [];
      }),
    );
  /** Reads once, and says what came. */
  const round = async (window = YEAR_BEGINS) => {
    const came = { read: [] as string[], gone: [] as string[], faults: [] as string[], pages: 0 };
    const pages = changes(api, { calendarId: calendar.id, syncToken, window, known });
    let end: ChangesEnd;
    for (;;) {
      const { done, value } = await pages.next();
      if (done) {
        end = value;
        break;
      }
      came.pages += 1;
      for (const event of value.events) events.set(event.externalId, event);
      for (const id of value.gone) events.delete(id);
      came.read.push(...value.events.map(({ state }) => state.summary));
      came.gone.push(...value.gone);
      came.faults.push(...value.faults.map(({ reason }) => reason));
    }
    for (const [id, { state }] of events) {
      const isThere = !end.present || end.present.has(id) || !lies(state, end.window);
      if (!isThere) came.gone.push(id);
      if (!isThere) events.delete(id);
    }
    syncToken = end.syncToken;
    return { ...came, end };
  };
  /** Everything has to be read again. */
  const forget = () => {
    syncToken = null;
  };
  const summaries = () => [...events.values()].map(({ state }) => state.summary).sort();
  return { events, round, forget, summaries };
}

function lies({ span, icalRecurrence }: RemoteEvent["state"], window: ChangesEnd["window"]): boolean {
  return !window || icalRecurrence !== null || (span.starts < window.to && span.ends > window.from);
}

/** Times of an hour on a day of 2027. */
export function hourOn(day: number, month = 2) {
  const at = (ms: number) => ({ dateTime: new Date(ms).toISOString().slice(0, 19), timeZone: "UTC" });
  const starts = Date.UTC(2027, month, day, 9);
  return { start: at(starts), end: at(starts + DAY_MS / 24) };
}
