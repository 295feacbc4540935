import type { EventUid } from "@/server/domain/ids";
import type { Day } from "@/server/domain/time/day";
import type { ReadRow } from "@/server/services/reads/page";
import { recordReader } from "@/server/store/events/pages/records";
import { eventColumns, PAGE_BYTES } from "@/server/store/events/pages/returned";
import type { PageResult } from "@/server/store/events/pages/statement";
import { readRows } from "@/server/store/events/pages/text";

/** One row of the events read. Times in epoch seconds; all-day times are UTC midnights. */
export interface EventRow extends ReadRow {
  event: RenderedEvent;
  deleted: boolean;
  updated: number;
  /** The original day of an occurrence of a series; null on single events. */
  day: Day | null;
  /** Whether this is the first occurrence of its series. */
  first: boolean;
  /** JSON of the content in which the occurrence differs from its event. Empty: none. */
  changes: string;
}

/** The content that all occurrences of an event share. */
export interface RenderedEvent {
  id: string;
  /** When the content of all occurrences last changed without a change to their rows; 0: never. */
  contentChanged: number;
  firstUid: string;
  /** As JSON; empty: none. */
  conferencing: string;
  /** JSON of the rule, as sent, of a series that the application wrote. Otherwise empty. */
  rules: string;
  /** Members of a JSON object; `event_id` comes first if the application created the event. */
  rendered: string;
  bytes: number;
}

const DELETED = 1;
const ALL_DAY = 2;
const FIRST = 4;

/** Reads the rows of a page, up to the one that reaches `PAGE_BYTES`. */
export function eventRows(result: PageResult): EventRow[] {
  const texts = eventColumns.flatMap((name) => readRows(result[name] ?? null));
  const events = new Map(texts.map((fields) => [fields[0], renderedEvent(fields)]));
  const rows: EventRow[] = [];
  let bytes = 0;
  const record = recordReader(result.records);
  for (const [uid, id, changes = ""] of readRows(result.rows)) {
    const starts = record.time();
    const ends = record.time();
    const updated = record.time();
    const day = record.day();
    const flags = record.small();
    const event = events.get(id);
    if (!event) throw new Error("a page has an occurrence without its event");
    if (bytes >= PAGE_BYTES) break;
    bytes += event.bytes + changes.length;
    rows.push({
      uid: uid as EventUid,
      allDay: (flags & ALL_DAY) !== 0,
      starts,
      ends,
      event,
      deleted: (flags & DELETED) !== 0,
      updated,
      day,
      first: (flags & FIRST) !== 0,
      changes,
    });
  }
  return rows;
}

function renderedEvent(fields: string[]): RenderedEvent {
  const [id = "", contentChanged = "", firstUid = "", conferencing = "", rules = "", rendered = ""] = fields;
  const bytes = Buffer.byteLength(rendered);
  return { id, contentChanged: Number(contentChanged), firstUid, conferencing, rules, rendered, bytes };
}
