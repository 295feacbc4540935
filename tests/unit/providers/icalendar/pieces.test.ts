import { describe, expect, it } from "vitest";
import type { RuleSeries } from "@/server/domain/events/event-state";
import { applyLocalExceptions } from "@/server/domain/merge/apply-local-exceptions";
import { toIcalRecurrence } from "@/server/domain/merge/to-ical-recurrence";
import { masterRead } from "@/server/providers/caldav/icalendar/read/read-resource";
import { clocksOf } from "@/server/providers/caldav/icalendar/zones/clocks";
import { rule } from "@/tests/unit/recurrence/given";
import { single } from "./given-state";

/*
 * Where each of two steps goes through all of a text or of a series, other work has its turn between them. On a slow machine both
 * together held the event loop for 50 ms while V8 had not yet compiled them.
 */
describe("the event loop has its turn", () => {
  it("between the times of an event and its content", () => {
    const lines = ["DTSTART:20261101T100000Z", "SUMMARY:Planning"];
    const component = { name: "VEVENT", lines, components: [] };
    const clocks = clocksOf({ name: "VCALENDAR", lines: [], components: [component] }, null);
    const steps = masterRead(component, { clocks, ownAddresses: [] });
    expect(steps.next()).toEqual({ done: false, value: undefined });
    expect(steps.next()).toMatchObject({ done: true, value: { content: { summary: "Planning" } } });
  });

  it("between the application's days and those of the other side", () => {
    const ruleSeries: RuleSeries = { rules: [], rule: rule("daily count=30"), skipped: ["2026-11-29"], changed: [] };
    const own = single({ ruleSeries });
    const series = toIcalRecurrence(single({ ruleSeries: { ...ruleSeries, skipped: [] } }));
    if (!series) throw new Error("it does not repeat");
    const seen: PropertyKey[] = [];
    const watched = new Proxy(series, {
      get(of, name, receiver) {
        seen.push(name);
        return Reflect.get(of, name, receiver);
      },
    });
    const sides = { remote: { ...own, ruleSeries: null, icalRecurrence: series }, isLocal: new Set(["2026-11-29"]) };
    const steps = applyLocalExceptions(watched, own, sides);
    expect(steps.next().done).toBe(false);
    expect(seen).not.toContain("exdates");
    expect(steps.next().done).toBe(false);
    expect(seen).toContain("exdates");
  });
});
