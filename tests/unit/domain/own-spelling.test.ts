import { describe, expect, it } from "vitest";
import { documentText, withOwnSpelling } from "@/server/domain/events/own-spelling";
import { providerTraits } from "@/server/domain/providers";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { at, eventState, ruleSeries } from "../providers/microsoft-writing";

const { microsoft, google } = providerTraits;

describe("a text that a provider keeps as a document", () => {
  it("is the application's as long as only spaces and empty lines differ", () => {
    const own = eventState({ description: "  a   b\r\n\r\n\r\nc\u00a0 d  ", summary: "Two  spaces" });
    const read = eventState({ description: "a b\n\nc d", summary: "Two spaces" });
    expect(withOwnSpelling(own, read, microsoft)).toEqual(own);
    expect(withOwnSpelling(own, read, google)).toEqual(read);
  });

  it("is what others have written if it says anything else", () => {
    const read = eventState({ description: "a c" });
    expect(withOwnSpelling(eventState({ description: "a b" }), read, microsoft)).toEqual(read);
    expect(documentText("a\nb")).not.toBe(documentText("a b"));
  });

  it("is whole although its provider keeps the beginning of it alone", () => {
    const own = eventState({ summary: "x".repeat(300) });
    const read = eventState({ summary: `${"x".repeat(254)}…` });
    expect(withOwnSpelling(own, read, microsoft)).toEqual(own);
  });

  it("is the application's in changed occurrences too", () => {
    const texts = { description: "one   occurrence", summary: "y".repeat(300) };
    const own = eventState({ ruleSeries: ruleSeries({}, { changed: [{ day: "2027-03-02", span: null, texts }] }) });
    const fields = { description: "one occurrence", summary: `${"y".repeat(254)}…` };
    const start = at("2027-03-02") as number as LocalTime;
    const override = { recurrenceId: start, starts: at("2027-03-02"), ends: at("2027-03-02"), fields };
    const recurrence = { allDay: false, start, tzid: null, duration: { days: 0, exact: 0 } };
    const lists = { rrules: [], exrules: [], rdates: [], exdates: [], overrides: [override] };
    const read = eventState({ icalRecurrence: { ...recurrence, ...lists } });
    const { icalRecurrence } = withOwnSpelling(own, read, microsoft);
    expect(icalRecurrence?.overrides[0]?.fields).toEqual(texts);
  });
});
