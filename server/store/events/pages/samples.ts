import type { EventUid } from "@/server/domain/ids";
import type { Instant } from "@/server/domain/time/instant";
import { zone } from "@/server/domain/time/zone";
import type { Frame, Position } from "@/server/store/events/pages/frame";
import type { PageAssumptions, PageRequest } from "@/server/store/events/pages/statement";

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

const assumptions: PageAssumptions[] = [
  { short: true, fits: true },
  { short: false, fits: true },
  { short: true, fits: false },
  { short: false, fits: false },
];

/**
 * Returns pages that take every branch of the statement of a read: first ones and later ones, of every kind of frame,
 * in two zones.
 */
export function pageSamples(endpoint: PageRequest["endpoint"]): PageRequest[] {
  return ["Etc/UTC", "Europe/Berlin"].flatMap((tzid) => {
    const sampleZone = zone(tzid);
    if (sampleZone === null) return [];
    return frames.flatMap((more) =>
      places.flatMap((place) => {
        const calendars = place.position ? [1] : null;
        return assumptions.map((assumed) => ({
          accountId: "a",
          endpoint,
          frame: { ...frame, ...more, tzid, calendars },
          zone: sampleZone,
          ...place,
          rows: 2,
          assumed,
        }));
      }),
    );
  });
}
