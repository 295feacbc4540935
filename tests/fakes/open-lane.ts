import type { CalendarProvider } from "@/server/domain/calendars/guest-rules";
import type { Lane } from "@/server/sync/lanes";

/** A lane in which nothing is under way and that holds no application or mailbox back. */
export function openLane(provider: CalendarProvider, most: number, more: Partial<Lane> = {}): Lane {
  return { provider, most, share: most, plenty: most, slow: most, slowEach: most, held: [], ...more };
}
