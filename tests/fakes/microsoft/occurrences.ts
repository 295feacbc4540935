import { datesOf } from "./recurrence";
import type { EventContent, Knobs, StoredEvent, StoredTime } from "./state";
import { clockOf, dateOf, dayAfter, daysBetween, epochOf, localOf } from "./times";

/** An event as a calendar view shows it: a single one, or the occurrence of a series on a date. */
export interface Item {
  event: StoredEvent;
  date?: string;
}

/** Exchange counts occurrences in minutes [R compass-calendar#3665]: a series at 02:36:12 has occurrences at 02:36:00. */
const toMinute = (local: string) => `${local.slice(0, 16)}:00`;

/** The start and end of an occurrence by the rule: the same wall clock each time, MS-OXOCAL StartTimeOffset and EndTimeOffset. */
export function timesByRule({ content }: StoredEvent, date: string): { start: StoredTime; end: StoredTime } {
  const { start, end } = content;
  const endLocal = end.zone === start.zone ? end.local : localOf(epochOf(end), start.zone);
  const endDate = dayAfter(date, daysBetween(dateOf(start.local), dateOf(endLocal)));
  return {
    start: { ...start, local: toMinute(`${date}${clockOf(start.local)}`) },
    end: { ...start, shown: end.shown, local: toMinute(`${endDate}${clockOf(endLocal)}`) },
  };
}

/** Everything that an event or an occurrence has: what an exception does not have otherwise is the series'. */
export function contentOf({ event, date }: Item): EventContent {
  if (date === undefined) return event.content;
  return { ...event.content, ...timesByRule(event, date), ...event.exceptions.get(date)?.own };
}

/** Whether a series has an occurrence on a date, deleted or not. */
export function hasDate(knobs: Knobs, { recurrence }: StoredEvent, date: string): boolean {
  return recurrence !== null && /^\d{4}-\d\d-\d\d$/.test(date) && datesOf(knobs, recurrence, date).at(-1) === date;
}

/** The occurrences of a series that touch a span, exceptions where there are; those deleted are not among them. */
export function occurrencesWithin(knobs: Knobs, event: StoredEvent, from: number, to: number): Item[] {
  if (!event.recurrence) return [];
  const last = localOf(to, event.content.start.zone).slice(0, 10);
  const dates = new Set([...datesOf(knobs, event.recurrence, last), ...event.exceptions.keys()]);
  const items = [...dates].filter((date) => !event.cancelled.has(date)).map((date) => ({ event, date }));
  return items.filter((item) => touches(contentOf(item), from, to));
}

/** What an event shows in a span: itself, or its occurrences. */
export function itemsWithin(knobs: Knobs, event: StoredEvent, from: number, to: number): Item[] {
  if (event.recurrence) return occurrencesWithin(knobs, event, from, to);
  return touches(event.content, from, to) ? [{ event }] : [];
}

/** Whether an event overlaps a span; one without length counts where it begins [K]. */
export function touches({ start, end }: EventContent, from: number, to: number): boolean {
  const [begins, ends] = [epochOf(start), epochOf(end)];
  return begins < to && (ends > from || (ends === begins && begins >= from));
}

/** The dates next to one in a series that are not deleted. */
export function neighbours(knobs: Knobs, event: StoredEvent, date: string): { before?: Item; after?: Item } {
  if (!event.recurrence) return {};
  const horizon = dayAfter(date, 366 * 10);
  const dates = datesOf(knobs, event.recurrence, horizon).filter((one) => one === date || !event.cancelled.has(one));
  const at = dates.indexOf(date);
  const [before, after] = [dates[at - 1], dates[at + 1]];
  return { ...(before && { before: { event, date: before } }), ...(after && { after: { event, date: after } }) };
}
