import fc from "fast-check";
import { expect, it } from "vitest";
import { calendar, feedServer, subscriber } from "./feed-person";
import { ical, vevent } from "./world";

const server = feedServer();

/** What a publisher does next: events by their UIDs with a title each, or a response that says nothing of them. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.dictionary(fc.constantFrom("a", "b", "c", "d", "e", "f"), fc.constantFrom("x", "y", "z")),
  },
  { weight: 1, arbitrary: fc.constantFrom("same", "error", "html", "empty", "cut") },
);
type Step = Record<string, string> | string;

const published = (events: Record<string, string>) =>
  calendar(...Object.entries(events).map(([uid, title]) => vevent(uid, [`SUMMARY:${title}`])));

it("after every read, and for whoever applies the feed of changes, the calendar is what was last published", async () => {
  const plays = fc.array(step, { minLength: 20, maxLength: 30 });
  for (const [run, steps] of fc.sample(plays, { numRuns: 4, seed: 7 }).entries()) {
    const person = await subscriber(server(), published({}));
    let model: Record<string, string> = {};
    let { cursor } = (await person.get("/v1/changes")).json;
    const mirror = new Map<string, string>();
    for (const [at, one] of (steps as Step[]).entries()) {
      const isMistake = Object.keys(one).length === 0 && Object.keys(model).length > 0;
      if (typeof one !== "string") {
        person.put(published(one));
        if (!isMistake) model = one;
      } else if (one === "error") person.put({ status: 502 });
      else if (one === "html") person.put({ body: "<html></html>" });
      else if (one === "empty") person.put(calendar());
      else if (one === "cut") person.put(`BEGIN:VCALENDAR\r\n${vevent("other", [`DTSTART:${ical(1, "100000Z")}`])}`);
      await person.sync();
      const expected = Object.values(model).sort();
      expect(await person.summaries(), `run ${run}, step ${at}`).toEqual(expected);

      const page = (await person.get("/v1/changes", { cursor })).json;
      ({ cursor } = page);
      const titles = new Map((await person.events()).map(({ event_uid, summary }) => [event_uid, summary]));
      for (const { kind, event_uid: uid } of page.changes) {
        if (kind === "deleted") mirror.delete(uid);
        else mirror.set(uid, titles.get(uid));
      }
      expect([...mirror.values()].sort(), `run ${run}, step ${at}`).toEqual(expected);
    }
  }
});
