import type { EventUid } from "@/server/domain/ids";
import type { Instant } from "@/server/domain/time/instant";

/** Everything that the first page of a read fixes for those that follow. */
export interface Frame {
  from: Instant;
  /** Exclusive. */
  to: Instant;
  tzid: string;
  localized: boolean;
  /** The events of others, of the application, or both. */
  managed: "unmanaged" | "own" | "both";
  includeIds: boolean;
  includeDeleted: boolean;
  /** Microseconds since 1970: includes only what changed at or after it. */
  modifiedSince: number | null;
  /** `calendars.number` of the requested calendars; null: all. */
  calendars: number[] | null;
}

/** The end of a page: the sort key of its last row. */
export interface Position {
  page: number;
  total: number;
  /** How many rows follow it, as the first page counted them. */
  left: number;
  at: Instant;
  uid: EventUid;
}
