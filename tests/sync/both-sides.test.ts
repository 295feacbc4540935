import { expect, it } from "vitest";
import { scene } from "./scene";
import { berlin, exdate, override, sharedSeries as shared } from "./shared-series";
import { day, ical } from "./world";

/** The application and others change the same series, neither having heard of the other. */
const made = scene();

const sharedSeries = (calendar: string, more: object = {}) => shared(made, calendar, more);

const nine = (...offsets: number[]) => offsets.map((offset) => `${day(offset)}T09:00`);

it("what each side took out or moved is what both have in the end", async () => {
  const { other, person, skip, move, starts, events, settled } = await sharedSeries("Both");
  await other.change("Ours series", exdate(2));
  const lunch = [
    berlin("DTSTART", 3, "120000"),
    berlin("DTEND", 3, "130000"),
    "SUMMARY:Lunch",
    "URL:https://a.example",
  ];
  await other.change("Ours series", override(3, lunch));
  expect((await skip(4)).status).toBe(202);
  expect((await move(5, "15:00")).status).toBe(202);
  await person.push();
  await person.sync();
  const read = await events({ localized_times: "false", tzid: "Etc/UTC" });
  expect(read).toHaveLength(4);
  expect((await starts()).slice(0, 2)).toEqual([`${day(1)}T09:00`, `${day(3)}T12:00`]);
  expect(read.map(({ start }) => start)).toContain(`${day(5)}T15:00:00Z`);
  expect(read[1]).toMatchObject({ summary: "Lunch" });
  const ics = (await other.find("Ours series"))?.ics;
  expect(ics).toContain("URL:https://a.example");
  expect(await settled()).toEqual(["change"]);
});

it("writes that became one, and one that followed at once, leave what others took out", async () => {
  const { other, person, write, skip, starts, settled } = await sharedSeries("Coalesced sides");
  await other.change("Ours series", exdate(2));
  await write({ summary: "Second" });
  await skip(4);
  await person.push();
  await write({ summary: "Third" });
  await person.push();
  await person.sync();
  expect(await starts()).toEqual(nine(1, 3, 5, 6));
  expect((await other.find("Third"))?.ics).toContain(berlin("EXDATE", 2, "090000"));
  expect(await settled()).toEqual(["change"]);
});

it("a series that others gave another rule keeps what they took out of it since", async () => {
  const { other, person, write, starts, settled, forget } = await sharedSeries("Their rule");
  await other.change("Ours series", (ics) => ics.replace("COUNT=6", "COUNT=6;BYHOUR=9,17"));
  await person.sync();
  expect(await starts()).toHaveLength(6);
  expect(await settled()).toEqual(["change"]);
  forget();
  await other.change("Ours series", exdate(2));
  await write({ summary: "Renamed" });
  await person.push();
  await person.sync();
  expect(await starts()).toHaveLength(5);
  expect((await other.find("Renamed"))?.ics).toContain(berlin("EXDATE", 2, "090000"));
  expect(await settled()).toEqual(["change"]);
});

it.each<[string, (ics: string) => string, string[]]>([
  ["make it every second day", (ics) => ics.replace("FREQ=DAILY", "FREQ=DAILY;INTERVAL=2"), nine(1, 3, 5, 7, 9, 11)],
  [
    "have it twice a day",
    (ics) => ics.replace("COUNT=6", "COUNT=8;BYHOUR=9,17"),
    ["1T09", "1T17", "2T09", "2T17", "3T09", "3T17", "4T17"].map(
      (text) => `${day(Number(text[0]))}${text.slice(1)}:00`,
    ),
  ],
  [
    "move it and leave its exceptions at the old time",
    (ics) => ics.replace(berlin("DTSTART", 1, "090000"), berlin("DTSTART", 1, "093000")),
    nine(1, 2, 3, 5, 6).map((start) => start.replace("09:00", "09:30")),
  ],
  [
    "delete this one and those that follow",
    (ics) => ics.replace("COUNT=6", `UNTIL=${ical(2, "220000Z")}`).replace(/EXDATE[^\r\n]*\r?\n/, ""),
    nine(1, 2),
  ],
])(
  "both sides of a series stand when others %s and the application, which took a day out before, renames it unawares",
  async (what, change, expected) => {
    const { others, ics, person, write, skip, starts, events, settled, forget } = await sharedSeries(
      `Unawares ${what}`,
    );
    await skip(4);
    await person.push();
    await person.sync();
    forget();
    await others(change);
    await write({ summary: "Renamed" });
    await person.push();
    expect(await ics()).toContain("SUMMARY:Renamed");
    await person.sync();
    expect(await starts()).toEqual(expected);
    expect((await events()).every(({ summary }) => summary === "Renamed")).toBe(true);
    expect(await settled()).toEqual(["change"]);
    forget();
    await person.push();
    await person.sync();
    expect(await settled()).toEqual([]);
  },
);
