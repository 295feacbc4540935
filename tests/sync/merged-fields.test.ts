import { expect, it } from "vitest";
import { scene } from "./scene";
import { at, berlin, sharedSeries } from "./shared-series";
import { day, ical } from "./world";

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
