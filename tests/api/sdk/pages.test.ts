import { describe, expect, it } from "vitest";
import { fakeClock } from "../../fakes/clock";
import { dayFromNow } from "../dates";
import { newClient, openedWith } from "./client";

const EVENTS = 700;

describe("a list of several pages", () => {
  it("of 700 events is read page by page, each only when it is needed, and the writes before it keep to the rate limit", async () => {
    const client = await newClient({ fake: fakeClock() });
    const { account, calendarId } = await openedWith(client);
    const ids = Array.from({ length: EVENTS }, (_, index) => `event-${String(index).padStart(3, "0")}`);
    const times = { start: `${dayFromNow(1)}T09:00:00Z`, end: `${dayFromNow(1)}T10:00:00Z` };
    const writes = ids.map(
      (event_id) => () => account.events.write(calendarId, { event_id, summary: event_id, ...times }),
    );
    for (let next = writes.splice(0, 20); next.length > 0; next = writes.splice(0, 20)) {
      await Promise.all(next.map((write) => write()));
    }
    expect(client.responses.filter(({ status }) => status === 202)).toHaveLength(EVENTS);
    expect(client.responses.filter(({ status }) => status === 429)).not.toEqual([]);

    const query = { tzid: "Etc/UTC", from: dayFromNow(0), to: dayFromNow(3), include_managed: true };
    const reads = () => client.responses.filter(({ path, status }) => path === "/v1/events" && status === 200).length;
    const list = account.events.list(query);
    expect(reads()).toBe(0);
    for await (const { event_id } of list) {
      expect(ids).toContain(event_id);
      break;
    }
    expect(reads()).toBe(1);

    const found: (string | undefined)[] = [];
    for await (const { event_id } of list) found.push(event_id);
    expect(found.toSorted()).toEqual(ids);
    expect(reads()).toBe(4);

    const pages = [];
    for await (const { items, current, total } of list.pages()) pages.push([items.length, current, total]);
    expect(pages).toEqual([
      [300, 1, 3],
      [300, 2, 3],
      [100, 3, 3],
    ]);
    const periods = await account.freeBusy.list({ ...query, include_ids: true }).toArray();
    expect(periods.map(({ event_id }) => event_id).toSorted()).toEqual(ids);
  });
});
