import fc from "fast-check";
import { expect, it } from "vitest";
import { dayFromNow } from "./dates";
import { byOthers, ofUid, tagOf } from "./named-events";
import { type Opened, openCalendar } from "./service";
import { eventsOf, write } from "./written-series";

/** Two actors who edit one event: the application with the tag that it read last, and somebody else, who just writes. */
const DAY = dayFromNow(10);
const fields = {
  summary: fc.constantFrom("Board", "Staff", "Plans"),
  description: fc.constantFrom("", "Figures", "Notes"),
  location: fc.constantFrom("", "Room 1", "Room 2"),
  hour: fc.integer({ min: 8, max: 18 }),
};
/** Only a patch removes a location: a write that omits it leaves it. */
const patched = { ...fields, location: fc.constantFrom(null, "", "Room 1", "Room 2") };
type Content = {
  [Name in keyof typeof patched]: (typeof patched)[Name] extends fc.Arbitrary<infer Value> ? Value : never;
};

const edit = fc.oneof(
  fc.record({
    actor: fc.constant("application" as const),
    change: fc.record(patched, { requiredKeys: [] }),
    isRead: fc.boolean(),
  }),
  fc.record({
    actor: fc.constant("others" as const),
    change: fc.record(fields, { requiredKeys: [] }),
    isRead: fc.constant(false),
  }),
);

const timesOf = (hour: number) => ({ start: `${DAY}T${`${hour}`.padStart(2, "0")}:00:00Z`, end: `${DAY}T20:00:00Z` });

function patchOf({ hour, location, ...texts }: Partial<Content>) {
  return {
    ...texts,
    ...(location !== undefined && { location: location === null ? null : { description: location } }),
    ...(hour !== undefined && timesOf(hour)),
  };
}

function bodyOf({ hour, location, ...texts }: Content) {
  return { ...texts, ...timesOf(hour), ...(location !== null && { location: { description: location } }) };
}

/** What the event says, as the model does. */
async function contentOf(uid: string, opened: Opened): Promise<{ content: Content; tag: string }> {
  const response = await ofUid("GET", uid, opened);
  const { summary, description, location, start } = response.json;
  const content = { summary, description, location: location?.description ?? null, hour: Number(start.slice(11, 13)) };
  return { content, tag: tagOf(response) };
}

it("no acknowledged change is lost, whatever two actors do, and the tag changes exactly when the event does", async () => {
  const first: Content = { summary: "Board", description: "", location: "", hour: 9 };
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 5, maxLength: 25 }), async (edits) => {
      const opened = await openCalendar();
      await write(opened, { event_id: "1", ...bodyOf(first) });
      const [event] = await eventsOf(opened);
      const uid = event?.event_uid ?? "";
      let model: Content = first;
      let read = await contentOf(uid, opened);
      for (const { actor, change, isRead } of edits) {
        const before = await contentOf(uid, opened);
        const next: Content = { ...model, ...change };
        const isChange = JSON.stringify(next) !== JSON.stringify(model);
        if (actor === "others") {
          await byOthers(opened, { type: "event_changed", event_id: "1", event: bodyOf(next) });
          model = next;
        } else {
          if (isRead) read = before;
          const headers = { "if-match": read.tag };
          const response = await ofUid("PATCH", uid, opened, { body: patchOf(change), headers });
          // Refused exactly where others have changed the event since it was read.
          expect(response.status).toBe(read.tag === before.tag ? 200 : 412);
          if (response.status === 200) {
            model = next;
            read = { ...read, tag: tagOf(response) };
          }
        }
        const after = await contentOf(uid, opened);
        expect(after.content).toEqual(model);
        const isWritten = JSON.stringify(after.content) !== JSON.stringify(before.content);
        expect(after.tag !== before.tag).toBe(isWritten);
        expect(isWritten).toBe(isChange && JSON.stringify(model) === JSON.stringify(next));
      }
    }),
    { numRuns: 12 },
  );
}, 120_000);
