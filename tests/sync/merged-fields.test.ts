import { expect, it, onTestFinished } from "vitest";
import { startICloudFront } from "../fakes/icloud-front";
import { otherClient } from "../fakes/other-client";
import { scene } from "./scene";
import { at, berlin, exdate, sharedSeries } from "./shared-series";
import { connectPerson, day, ical, ours, watch } from "./world";

/** Of what others changed and nobody has read the application's next write undoes only what it says otherwise. */
const made = scene();

const nine = (...offsets: number[]) => offsets.map((offset) => `${day(offset)}T09:00`);
const added = (line: string) => (ics: string) => ics.replace("END:VEVENT", `${line}\r\nEND:VEVENT`);
const described = added("DESCRIPTION:Bring the plan\r\nLOCATION:Room 7\r\nURL:https://a.example\r\nTRANSP:TRANSPARENT");

it("texts that others changed stay, are read and told once, whatever else the application says", async () => {
  const { others, ics, person, write, events, settled, forget } = await sharedSeries(made, "Texts");
  await others((text) => described(text.replace(/TRANSP[^\r]*\r\n/, "")));
  await write({ summary: "Renamed" });
  await person.push();
  expect(await ics()).toContain("DESCRIPTION:Bring the plan");
  await person.sync();
  const [first] = await events();
  expect(first).toMatchObject({
    ...{ summary: "Renamed", description: "Bring the plan", url: "https://a.example", transparency: "transparent" },
    location: { description: "Room 7" },
  });
  expect(await settled()).toEqual(["change"]);
  forget();
  await write({
    ...{ summary: "Again", description: "Bring the plan", url: "https://a.example" },
    transparency: "transparent",
  });
  await person.push();
  await person.sync();
  expect(await ics()).toContain("LOCATION:Room 7");
  await write({ summary: "Again", location: { description: "" } });
  await person.push();
  await person.sync();
  expect(await ics()).not.toMatch(/LOCATION|DESCRIPTION|URL/);
  expect(await settled()).toEqual([]);
});

it("of what both changed the application's word counts, and nobody is told", async () => {
  const { others, ics, person, write, events, settled } = await sharedSeries(made, "Same field");
  await others((text) => text.replace("SUMMARY:Ours series", "SUMMARY:Theirs"));
  await write({ summary: "Renamed" });
  await person.push();
  await person.sync();
  expect(await ics()).toContain("SUMMARY:Renamed");
  expect((await events())[0]).toMatchObject({ summary: "Renamed" });
  expect(await settled()).toEqual([]);
});

it("a series that others moved is when they moved it to, under the application's new name", async () => {
  const { others, person, write, starts, events, settled } = await sharedSeries(made, "Moved");
  await others((text) =>
    text.replace(
      /(DTSTART|DTEND)(;TZID=Europe\/Berlin:\d+T)(\d\d)/g,
      (_, name, head, hour) => `${name}${head}${Number(hour) + 3}`,
    ),
  );
  await write({ summary: "Renamed" });
  await person.push();
  await person.sync();
  expect(await starts()).toEqual(nine(1, 2, 3, 4, 5, 6).map((start) => start.replace("T09", "T12")));
  expect((await events())[0]).toMatchObject({ summary: "Renamed", recurrence: { rules: [{ count: 6 }] } });
  expect(await settled()).toEqual(["change"]);
});

it("a series that others moved to another time zone is there", async () => {
  const { others, person, write, events, settled } = await sharedSeries(made, "Zone");
  const london = (text: string) => text.replaceAll(`TZID=Europe/Berlin:${ical(1)}`, `TZID=America/New_York:${ical(1)}`);
  await others(london);
  await write({ summary: "Renamed" });
  await person.push();
  await person.sync();
  const [first] = await events({ tzid: "America/New_York" });
  expect(first).toMatchObject({ summary: "Renamed", start: expect.stringContaining(`${day(1)}T09:00`) });
  expect(await settled()).toEqual(["change"]);
});

it("a rule of the application's and a name of others are both there", async () => {
  const { others, ics, person, write, starts, events, settled } = await sharedSeries(made, "Rule and name");
  await others((text) => exdate(3)(text.replace("SUMMARY:Ours series", "SUMMARY:Theirs")));
  await write({ recurrence: { rules: [{ frequency: "daily", interval: 2, count: 4 }] } });
  await person.push();
  await person.sync();
  expect(await ics()).toContain("SUMMARY:Theirs");
  expect(await starts()).toEqual(nine(1, 5, 7));
  expect((await events())[0]).toMatchObject({ summary: "Theirs", recurrence: { rules: [{ interval: 2 }] } });
  expect(await settled()).toEqual(["change"]);
});

it("days of the application are taken out of, and moved in, the rule that others made", async () => {
  const { others, person, skip, move, starts, settled } = await sharedSeries(made, "Days in their rule");
  await others((text) => text.replace("COUNT=6", "COUNT=8;BYHOUR=9,17"));
  await skip(2);
  await move(3, "20:00");
  await person.push();
  await person.sync();
  const found = await starts();
  expect(found).toHaveLength(6);
  expect(found).toEqual(expect.arrayContaining([`${day(1)}T17:00`, `${day(3)}T17:00`, `${day(4)}T17:00`]));
  expect(found.filter((start) => start.startsWith(day(2)))).toEqual([]);
  expect(found).not.toContain(`${day(3)}T09:00`);
  expect(await settled()).toEqual(["change"]);
});

it("writes that became one, and one that followed before anything was read, leave the rule of others", async () => {
  const { others, ics, person, write, starts, settled } = await sharedSeries(made, "Several writes");
  await others((text) => text.replace("FREQ=DAILY", "FREQ=DAILY;INTERVAL=2"));
  await write({ summary: "Second" });
  await write({ summary: "Second", description: "More" });
  await person.push();
  await write({ summary: "Third", description: "More" });
  await person.push();
  expect(await ics()).toContain("INTERVAL=2");
  await person.sync();
  expect(await ics()).toContain("SUMMARY:Third");
  expect(await starts()).toEqual(nine(1, 3, 5, 7, 9, 11));
  expect(await settled()).toEqual(["change"]);
});

it("a date that others added is there beside the application's new start", async () => {
  const { others, ics, person, write, starts, settled } = await sharedSeries(made, "Another date");
  await others(added(berlin("RDATE", 12, "090000")));
  await write({ start: at(1, "11:00"), end: at(1, "12:00") });
  await person.push();
  await person.sync();
  expect(await ics()).toContain(berlin("RDATE", 12, "110000"));
  expect(await starts()).toEqual(nine(1, 2, 3, 4, 5, 6, 12).map((start) => start.replace("T09", "T11")));
  expect(await settled()).toEqual(["change"]);
});

it("a single event that others moved and described stays so when the application sends all of it but with another name", async () => {
  const other = otherClient(await made.radicale.makeCalendar("Single"), made.radicale);
  const person = await connectPerson(made.radicale, made.radicale);
  await person.sync();
  const calendarId = await person.calendarId("Single");
  const write = (more: object) => person.post(`/v1/calendars/${calendarId}/events`, ours("one", more));
  await write({});
  await person.push();
  await person.sync();
  const { settled, forget } = await watch(person, made.receiver);
  await other.change("Ours one", (text) => described(text.replace(/T140000Z/, "T130000Z")));
  await write({ summary: "Renamed" });
  // A sync in between takes nothing of it yet.
  await person.sync();
  await person.push();
  await person.sync();
  expect(await person.events(calendarId)).toMatchObject([
    { summary: "Renamed", description: "Bring the plan", start: `${day(2)}T13:00:00Z`, end: `${day(2)}T15:00:00Z` },
  ]);
  expect(await settled()).toEqual(["change"]);
  forget();
  await person.push();
  await person.sync();
  expect(await settled()).toEqual([]);
});

it("what the application takes back after an answer was lost goes, also where others were there in the meantime", async () => {
  const front = await startICloudFront(made.radicale.url);
  onTestFinished(() => front.close());
  const other = otherClient(await made.radicale.makeCalendar("Lost answer"), made.radicale);
  const place = { url: front.url, origins: [new URL(front.home).origin] };
  const person = await connectPerson(place, made.radicale);
  await person.sync();
  const calendarId = await person.calendarId("Lost answer");
  const path = `/v1/calendars/${calendarId}/events`;
  const recurrence = { rules: [{ frequency: "daily", count: 3 }] };
  const series = { start: at(1, "09:00"), end: at(1, "10:00"), recurrence };
  await person.post(path, ours("one", series));
  await person.push();
  await person.sync();
  const { settled } = await watch(person, made.receiver);

  let method = "";
  front.behaviour.instead = (asked) => {
    method = asked.method;
    return undefined;
  };
  front.behaviour.rewrite = (text) => {
    if (method === "PUT") throw new Error("the answer is lost");
    return text;
  };
  await person.post(path, ours("one", { ...series, location: { description: "Room 7" } }));
  await person.remove(path, { event_id: "one", occurrence_date: day(2) });
  await person.push();
  const [said] = await other.list();
  expect(said?.ics).toContain("LOCATION:Room 7");
  expect(said?.ics).toContain("EXDATE");
  front.behaviour.rewrite = (text) => text;
  await other.change("Ours one", added("DESCRIPTION:Theirs"));
  await person.post(path, ours("one", { ...series, recurrence: { ...recurrence, exceptions: { add: [] } } }));
  await person.push();
  await person.sync();
  const [now] = await other.list();
  expect(now?.ics).not.toContain("LOCATION");
  expect(now?.ics).not.toContain("EXDATE");
  expect(await person.events(calendarId)).toHaveLength(3);
  expect((await person.events(calendarId))[0]).toMatchObject({ description: "Theirs" });
  expect(await settled()).toEqual(["change"]);
});
