import { PAGE_BYTES, type PageResult } from "@/server/db/pages/statement";
import { readRows } from "@/server/db/pages/text";
import { timesReader } from "@/server/db/pages/times";
import type { EventUid } from "@/server/domain/ids";
import type { ReadRow } from "@/server/services/reads/page";

/** One row of the events read. Times in epoch seconds; all-day times are UTC midnights. */
export interface EventRow extends ReadRow {
  event: RenderedEvent;
  deleted: boolean;
  updated: number;
  /** The original day of an occurrence of a series; empty on single events. */
  day: string;
  /** As JSON, on the first occurrence of a series that the application wrote: its rule as sent. Else empty. */
  rules: string;
  /** As JSON: what the occurrence says otherwise than its event. Empty: nothing. */
  changes: string;
}

/** What the occurrences of an event have in common. */
export interface RenderedEvent {
  id: string;
  /** When what all occurrences say was changed last, without a change to their rows; 0: never. */
  contentChanged: number;
  firstUid: string;
  /** As JSON; empty: none. */
  conferencing: string;
  /** Members of a JSON object; `event_id` is the first, if the application created the event. */
  rendered: string;
  bytes: number;
}

/** The rows of a page, up to the one that reaches `PAGE_BYTES`. */
export function eventRows(result: PageResult): EventRow[] {
  const events = new Map(readRows(result.events ?? null).map((fields) => [fields[0], renderedEvent(fields)]));
  const rows: EventRow[] = [];
  let bytes = 0;
  const time = timesReader(result.times);
  for (const [uid, id, at = "", deleted, day = "", rules = "", changes = ""] of readRows(result.rows)) {
    const [starts, ends, updated] = [time(), time(), time()];
    const event = events.get(id);
    if (!event) throw new Error("a page has an occurrence without its event");
    if (bytes >= PAGE_BYTES) break;
    bytes += event.bytes + changes.length;
    rows.push({
      uid: uid as EventUid,
      at: at === "" ? starts : Number(at),
      allDay: at !== "",
      starts,
      ends,
      event,
      deleted: deleted !== "",
      updated,
      day,
      rules,
      changes,
    });
  }
  return rows;
}

function renderedEvent(fields: string[]): RenderedEvent {
  const [id = "", contentChanged = "", firstUid = "", conferencing = "", rendered = ""] = fields;
  const bytes = Buffer.byteLength(rendered);
  return { id, contentChanged: Number(contentChanged), firstUid, conferencing, rendered, bytes };
}
