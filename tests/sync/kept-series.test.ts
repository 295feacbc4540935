import { describe, expect, it } from "vitest";
import { startsByOthers } from "../fakes/second-reader";
import { scene } from "./scene";
import { at, berlin, exdate, override, sharedSeries } from "./shared-series";
import { day, ical } from "./world";

/** Others give the application's series other times and another rule, and the application writes it again and says nothing of its rule. */
const made = scene();

const inUtc = { tzid: "Etc/UTC", localized_times: "false" };
const line = (name: string) => new RegExp(`^${name}[;:].*\\r?\\n`, "gm");
const master = (ics: string) => {
  const [first = ""] = /BEGIN:VEVENT[\s\S]*?END:VEVENT/.exec(ics) ?? [];
  return first;
};
/** Gives the series' component these times and lines, in place of its own times, rule and exceptions. */
const withTimes =
  (...lines: string[]) =>
  (ics: string): string => {
    const names = ["DTSTART", "DTEND", "DURATION", "RRULE", "EXDATE", "RDATE"];
    const bare = names.reduce((text, name) => text.replace(line(name), ""), master(ics));
    return ics.replace(master(ics), bare.replace("END:VEVENT", `${lines.join("\r\n")}\r\nEND:VEVENT`));
  };
const component = (ics: string, ...lines: string[]) => {
  const [uid = ""] = /^UID:.*$/m.exec(ics) ?? [];
  const event = ["BEGIN:VEVENT", uid.trim(), "DTSTAMP:20260101T000000Z", ...lines, "END:VEVENT"].join("\r\n");
  return ics.replace("END:VCALENDAR", `${event}\r\nEND:VCALENDAR`);
};
const date = (name: string, offset: number) => `${name};VALUE=DATE:${ical(offset)}`;
const inZone = (zone: string) => (name: string, offset: number, time: string) =>
  `${name};TZID=${zone}:${ical(offset, time)}`;
const newYork = inZone("America/New_York");
const utc = (name: string, offset: number, time: string) => `${name}:${ical(offset, time)}Z`;
const floating = (name: string, offset: number, time: string) => `${name}:${ical(offset, time)}`;

const nine = (...offsets: number[]) => offsets.map((offset) => `${day(offset)}T09:00`);

const byOthers: [string, (ics: string) => string, string[]][] = [
  [
    "whole days, of which one is out and one is named",
    (ics) =>
      component(
        withTimes(date("DTSTART", 1), date("DTEND", 2), "RRULE:FREQ=DAILY;COUNT=4", date("EXDATE", 2))(ics),
        ...[date("RECURRENCE-ID", 3), date("DTSTART", 3), date("DTEND", 4), "SUMMARY:Theirs"],
      ),
    nine(1, 3, 4),
  ],
  [
    "whole days until a date, and one more",
    withTimes(
      ...[date("DTSTART", 1), date("DTEND", 2), `RRULE:FREQ=DAILY;UNTIL=${ical(3)};BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12`],
      date("RDATE", 6),
    ),
    nine(1, 2, 3, 6),
  ],
  [
    "the clock of New York, a rule beyond five fields, and days that are out, moved and added there",
    (ics) =>
      component(
        withTimes(
          ...[newYork("DTSTART", 1, "030000"), newYork("DTEND", 1, "040000")],
          ...["RRULE:FREQ=DAILY;COUNT=5;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12"],
          ...[newYork("EXDATE", 2, "030000"), newYork("RDATE", 9, "030000")],
        )(ics),
        ...[newYork("RECURRENCE-ID", 3, "030000"), utc("DTSTART", 3, "200000"), utc("DTEND", 3, "210000")],
        "SUMMARY:Theirs",
      ),
    [...nine(1, 4, 5, 9), "moved"],
  ],
  [
    "the same hour in New York, and a day that is added there",
    withTimes(
      ...[newYork("DTSTART", 1, "090000"), newYork("DTEND", 1, "100000"), "RRULE:FREQ=DAILY;COUNT=3"],
      ...[newYork("RDATE", 9, "090000"), newYork("EXDATE", 2, "090000")],
    ),
    nine(1, 3, 9),
  ],
  [
    "the clock of Tokyo, where it is another day, until its last time",
    withTimes(
      ...[inZone("Asia/Tokyo")("DTSTART", 2, "010000"), inZone("Asia/Tokyo")("DTEND", 2, "020000")],
      ...[`RRULE:FREQ=DAILY;UNTIL=${ical(4, "160000Z")};BYSETPOS=1;BYHOUR=1`],
      inZone("Asia/Tokyo")("EXDATE", 4, "010000"),
    ),
    nine(1, 2, 4),
  ],
  [
    "times in UTC, twice a day",
    withTimes(
      ...[utc("DTSTART", 1, "100000"), utc("DTEND", 1, "103000"), "RRULE:FREQ=DAILY;COUNT=4;BYHOUR=10,13"],
      utc("EXDATE", 1, "130000"),
    ),
    [...nine(1, 2), `${day(2)}T12:00`],
  ],
  [
    "floating times",
    withTimes(floating("DTSTART", 1, "110000"), floating("DTEND", 1, "120000"), "RRULE:FREQ=DAILY;COUNT=2"),
    nine(1, 2),
  ],
];

describe("a series of the application's that others gave", () => {
  it.each(byOthers)(
    "%s, is at the application's own times when it is written again",
    async (name, change, expected) => {
      const { others, ics, person, write, starts, events, settled, forget } = await sharedSeries(made, name);
      await others(change);
      await person.sync();
      expect(await settled()).toEqual(["change"]);
      forget();
      await write({ description: "Again" });
      const wanted = expected.filter((start) => start !== "moved");
      const shown = (await starts()).sort();
      expect(shown.filter((start) => wanted.includes(start))).toEqual([...wanted].sort());
      expect(shown).toHaveLength(expected.length);

      await person.push();
      const there = (await ics()) ?? "";
      expect(there).toContain(berlin("DTSTART", 1, "090000"));
      const read = (await events(inUtc)).map(({ start }) => start).sort();
      expect(startsByOthers(there)).toEqual(read);
      await person.sync();
      expect((await events(inUtc)).map(({ start }) => start).sort()).toEqual(read);
      await person.push();
      await person.sync();
      expect(await settled()).toEqual([]);
    },
  );

  it("whole days, and that the application makes whole days again, has dates alone", async () => {
    const { others, ics, person, write, events } = await sharedSeries(made, "Back to dates");
    const fields = [newYork("DTSTART", 1, "190000"), newYork("DTEND", 1, "200000")];
    const rule = `RRULE:FREQ=DAILY;UNTIL=${ical(5, "000000Z")};BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12`;
    await others((text) =>
      component(
        withTimes(...fields, rule, newYork("EXDATE", 2, "190000"), newYork("RDATE", 9, "190000"))(text),
        ...[newYork("RECURRENCE-ID", 3, "190000"), newYork("DTSTART", 3, "210000"), newYork("DTEND", 3, "220000")],
      ),
    );
    await person.sync();
    await write({ start: day(1), end: day(2) });
    await person.push();
    const there = (await ics()) ?? "";
    expect(there.replace(/BEGIN:VTIMEZONE[\s\S]*END:VTIMEZONE/, "")).not.toMatch(
      /^(DTSTART|DTEND|EXDATE|RDATE|RECURRENCE-ID).*T\d+/m,
    );
    const read = (await events(inUtc)).map(({ start }) => start);
    expect(read).toEqual([1, 3, 4, 9].map(day));
    expect(startsByOthers(there)).toEqual(read);
    await person.sync();
    expect((await events(inUtc)).map(({ start }) => start)).toEqual(read);
  });

  it("a rule in five fields is repeated as the application says now, without the days that were out", async () => {
    const { others, ics, person, write, starts } = await sharedSeries(made, "Rule again");
    await others(withTimes(date("DTSTART", 1), date("DTEND", 2), "RRULE:FREQ=DAILY;COUNT=9", date("EXDATE", 3)));
    await person.sync();
    await write({ recurrence: { rules: [{ frequency: "daily", count: 5 }] } });
    expect(await starts()).toEqual(nine(1, 2, 4, 5));
    await person.push();
    expect(await ics()).toContain(berlin("EXDATE", 3, "090000"));
    await person.sync();
    expect(await starts()).toEqual(nine(1, 2, 4, 5));
  });
});

describe("one day of a series of the application's", () => {
  const rules: [string, (ics: string) => string][] = [
    ["DAILY;COUNT=4", (ics) => ics.replace("COUNT=6", "COUNT=4")],
    ["twice a day", (ics) => ics.replace("COUNT=6", "COUNT=8;BYHOUR=9,17")],
    [
      "with a day out and a day moved",
      (ics) => exdate(3)(override(2, [berlin("DTSTART", 2, "150000")])(ics.replace("COUNT=6", "COUNT=5"))),
    ],
    [
      "with dates alone",
      (ics) =>
        withTimes(
          berlin("DTSTART", 1, "090000"),
          berlin("DTEND", 1, "100000"),
          `${berlin("RDATE", 2, "090000")},${ical(3, "090000")},${ical(4, "090000")}`,
        )(ics),
    ],
    [
      "with another time from the second day on",
      (ics) =>
        override(2, [berlin("DTSTART", 2, "110000"), berlin("DTEND", 2, "120000")])(ics).replace(
          "RECURRENCE-ID;",
          "RECURRENCE-ID;RANGE=THISANDFUTURE;",
        ),
    ],
  ];

  it.each(rules)("that others repeat %s is skipped, changed and brought back", async (name, change) => {
    const { others, ics, person, skip, move, starts, events, settled, forget } = await sharedSeries(
      made,
      `Day ${name}`,
    );
    await others(change);
    await person.sync();
    expect(await settled()).toEqual(["change"]);
    forget();
    const [before] = await events();
    expect(before).toMatchObject({ recurring: true, options: { update: true, delete: true } });
    const others4 = (await starts()).filter((start) => start.startsWith(day(4)));
    expect(await skip(2)).toMatchObject({ status: 202 });
    expect(await skip(2)).toMatchObject({ status: 202 });
    expect(await move(3, "20:00")).toMatchObject({ status: 202 });
    const same = async () => {
      const read = (await events(inUtc)).map(({ start }) => start).sort();
      expect(read.filter((start) => start.startsWith(day(2)))).toEqual([]);
      expect(read).toContain(`${day(3)}T20:00:00Z`);
      expect((await starts()).filter((start) => start.startsWith(day(4)))).toEqual(others4);
      return read;
    };
    const read = await same();
    await person.push();
    // ical.js knows no RANGE, and no series of dates alone.
    if (!/from the second|alone/.test(name)) expect(startsByOthers((await ics()) ?? "")).toEqual(read);
    await person.sync();
    expect(await same()).toEqual(read);
    expect(await settled()).toEqual([]);

    expect(await move(2, "19:00")).toMatchObject({ status: 202 });
    await person.push();
    await person.sync();
    expect((await events(inUtc)).map(({ start }) => start)).toContain(`${day(2)}T19:00:00Z`);
    await person.push();
    await person.sync();
    expect(await settled()).toEqual([]);
  });

  it("that it has not is no occurrence, and of a single event none is", async () => {
    const { others, person, skip, move } = await sharedSeries(made, "No such day");
    await others((ics) => ics.replace("COUNT=6", "COUNT=4"));
    await person.sync();
    for (const refused of [await skip(5), await move(9, "20:00")]) {
      expect(refused).toMatchObject({
        status: 422,
        json: { errors: { occurrence_date: [{ key: "errors.not_an_occurrence" }] } },
      });
    }
    await others(withTimes(berlin("DTSTART", 1, "090000"), berlin("DTEND", 1, "100000")));
    await person.sync();
    expect(await skip(1)).toMatchObject({
      status: 422,
      json: { errors: { occurrence_date: [{ key: "errors.not_recurring" }] } },
    });
  });

  it("stays what the application made of it when others changed another day or the rule in the meantime", async () => {
    const { others, person, skip, starts } = await sharedSeries(made, "Both days");
    await others((ics) => ics.replace("COUNT=6", "COUNT=8;BYHOUR=9,17"));
    await person.sync();
    await others((ics) => exdate(3)(ics.replace("COUNT=8", "COUNT=10")));
    expect(await skip(2)).toMatchObject({ status: 202 });
    await person.push();
    await person.sync();
    expect(await starts()).toEqual(
      [1, 1, 3, 4, 4, 5, 5].map((offset, i) => `${day(offset)}T${[9, 17, 17, 9, 17, 9, 17][i] === 9 ? "09" : "17"}:00`),
    );
  });
});

it("a day that the application made its own is at its place when the application moves the series", async () => {
  const { others, ics, person, write, skip, starts, events } = await sharedSeries(made, "Moved after");
  await others((text) => text.replace("COUNT=6", "COUNT=5"));
  await person.sync();
  await skip(2);
  await write({ start: at(1, "11:00"), end: at(1, "12:30") });
  await person.push();
  expect(await starts()).toEqual([1, 3, 4, 5].map((offset) => `${day(offset)}T11:00`));
  expect(startsByOthers((await ics()) ?? "")).toEqual((await events(inUtc)).map(({ start }) => start));
  await person.sync();
  expect(await starts()).toEqual([1, 3, 4, 5].map((offset) => `${day(offset)}T11:00`));
});
