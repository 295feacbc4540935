import { expect, it } from "vitest";
import { storeProviderEvents } from "../fakes/stored-events";
import { dayFromNow } from "./dates";
import { openCalendar } from "./service";

const EVENTS = 310;

it.each(["Europe/Paris", "America/Santiago", "Etc/UTC"])(
  "all-day events that began together over 400 days ago are read in pages once each, in %s",
  async (tzid) => {
    const opened = await openCalendar();
    const { calendarId } = opened;
    for (const back of [-700, -520]) {
      const span = { calendarId, start: dayFromNow(back), end: dayFromNow(90) };
      await storeProviderEvents(Array.from({ length: EVENTS / 2 }, () => span));
    }
    const seen: string[] = [];
    let next: string | undefined = `/v1/events?tzid=${tzid}`;
    for (let page = 1; next; page++) {
      expect(page).toBeLessThanOrEqual(2);
      const { json } = await opened.get(next);
      expect(json.pages).toMatchObject({ current: page, total: 2 });
      seen.push(...json.events.map(({ event_uid }: { event_uid: string }) => event_uid));
      const following: string | undefined = json.pages.next_page;
      next = following && new URL(following).pathname + new URL(following).search;
    }
    expect(seen).toHaveLength(EVENTS);
    expect(new Set(seen).size).toBe(EVENTS);
  },
);
