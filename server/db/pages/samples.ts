import type { Frame, Position } from "@/server/db/pages/frame";
import type { Assumed, PageRequest } from "@/server/db/pages/statement";
import type { EventUid } from "@/server/domain/ids";
import type { Instant } from "@/server/domain/time/instant";
import { zone } from "@/server/domain/time/zone";

const DAY_MS = 86_400_000;
const from = Date.UTC(2025, 5, 1) as Instant;
const frame: Frame = {
  from,
  to: (from + 30 * DAY_MS) as Instant,
  tzid: "Etc/UTC",
  localized: false,
  managed: "unmanaged",
  includeIds: false,
  includeDeleted: false,
  modifiedSince: null,
  calendars: null,
};
const position = (total: number, at: number): Position => ({
  page: 1,
  total,
  left: 1,
  at: at as Instant,
  uid: "evt_" as EventUid,
});

const frames: Partial<Frame>[] = [
  {},
  { managed: "own", includeIds: true },
  { managed: "both", includeDeleted: true },
  { modifiedSince: 0 },
  { modifiedSince: 0, managed: "both", includeDeleted: true },
  { to: (from + 1) as Instant },
];
const places: Pick<PageRequest, "position" | "calendarIds" | "calendarCount">[] = [
  { position: null, calendarIds: null, calendarCount: 1 },
  { position: null, calendarIds: ["a"], calendarCount: 1 },
  { position: position(2, from + DAY_MS), calendarIds: null, calendarCount: 1 },
  { position: position(200, from - 3 * DAY_MS), calendarIds: null, calendarCount: 1 },
  { position: null, calendarIds: null, calendarCount: 50 },
  { position: position(200, from - 3 * DAY_MS), calendarIds: null, calendarCount: 50 },
];

const assumptions: Assumed[] = [
  { short: true, fits: true, days: null },
  { short: true, fits: true, days: 8 },
  { short: false, fits: true, days: null },
  { short: true, fits: false, days: 8 },
  { short: false, fits: false, days: null },
];

/** Pages that take every branch of the statement of a read: first ones and later ones, of every kind of frame, in two zones. */
export function pageSamples(endpoint: PageRequest["endpoint"]): PageRequest[] {
  return ["Etc/UTC", "Europe/Berlin"].flatMap((tzid) => {
    const found = zone(tzid);
    if (found === null) return [];
    return frames.flatMap((more) =>
      places.flatMap((place) => {
        const calendars = place.position ? [1] : null;
        return assumptions.map((assumed) => ({
          accountId: "a",
          endpoint,
          frame: { ...frame, ...more, tzid, calendars },
          zone: found,
          ...place,
          rows: 2,
          assumed,
        }));
      }),
    );
  });
}
