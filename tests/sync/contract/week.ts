import { expect } from "vitest";
import { WEEK } from "./scenario";
import type { Side } from "./side";

export type Json = Record<string, unknown>;

export interface Week {
  events: Json[];
  free_busy: Json[];
}

const LONGEST = 200;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** The week with everything in it, as the two reads give it, but for ids, links, times of writing, and a text that is too long to look at. */
export async function readWeek({ get, calendarId }: Side): Promise<Week> {
  const times = { tzid: "Europe/Berlin", localized_times: "true", ...WEEK };
  const query = { ...times, "calendar_ids[]": calendarId, include_managed: "true" };
  const events = await get("/v1/events", query);
  const freeBusy = await get("/v1/free_busy", { ...query, include_ids: "true" });
  const onePage = { status: 200, json: { pages: { current: 1, total: 1 } } };
  expect([events, freeBusy]).toMatchObject([onePage, onePage]);
  return renumbered({ events: events.json.events.map(legible), free_busy: freeBusy.json.free_busy });
}

function legible({ created, updated, ...event }: Json): Json {
  expect([created, updated]).toEqual([expect.stringMatching(TIME), expect.stringMatching(TIME)]);
  const text = String(event.description);
  const short = text.length <= LONGEST ? text : `${text.slice(0, 50)}… (${text.length} characters)`;
  return { ...event, description: short };
}

/** The same ids everywhere: each is numbered when it first appears, so that it shows which ones are the same. */
export function renumbered({ events, free_busy }: Week): Week {
  const summaries = new Map(events.map(({ event_uid, summary }) => [event_uid, summary]));
  const order = ({ start, event_uid }: Json) => `${start} ${summaries.get(event_uid)}`;
  const sorted = (all: readonly Json[]) => [...all].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const numbers = new Map<unknown, number>();
  const counts = new Map<string, number>();
  const named = (kind: string, value: unknown) => {
    const number = numbers.get(value) ?? (counts.get(kind) ?? 0) + 1;
    if (!numbers.has(value)) counts.set(kind, number);
    numbers.set(value, number);
    return `${kind} ${number}`;
  };
  const kinds: Record<string, string> = {
    ...{ calendar_id: "calendar", event_uid: "event", series_identifier: "series", join_url: "link" },
  };
  const plain = (json: Json) => {
    const text = JSON.stringify(json, (key, value) => (key in kinds ? named(kinds[key] ?? "", value) : value));
    return JSON.parse(text.replaceAll(/apc_[0-9a-f]+/g, "apc_"));
  };
  return { events: sorted(events).map(plain), free_busy: sorted(free_busy).map(plain) };
}
