import { expect, it } from "vitest";
import { scene } from "./scene";
import { at, berlin, override, sharedSeries } from "./shared-series";
import { day } from "./world";

/** Guests reply to one occurrence of a series that the application wrote, at a CalDAV server. */
const made = scene();

const BEN = "ben@example.com";
const unfolded = (ics: string) => ics.replaceAll(/\r\n[ \t]/g, "");

/** Ben is invited, and his reply to one day comes into the resource as an override, which is how servers store it. */
async function invited(calendar: string) {
  const shared = await sharedSeries(made, calendar, { attendees: { invite: [{ email: BEN, display_name: "Ben" }] } });
  const { others, person, events } = shared;
  const replying = (offset: number, partstat: string) => (ics: string) => {
    const whole = unfolded(ics);
    const [master = ""] = whole.split("END:VEVENT");
    const people = [...master.matchAll(/^(?:ORGANIZER|ATTENDEE).*$/gm)].map(([line]) => line.trim());
    const replied = people.map((line) =>
      line.includes("mailto:ben@") ? line.replace(/PARTSTAT=[A-Z-]+/, `PARTSTAT=${partstat}`) : line,
    );
    const times = [berlin("DTSTART", offset, "090000"), berlin("DTEND", offset, "100000")];
    return override(offset, [...times, "SUMMARY:Ours series", ...replied])(whole);
  };
  const reply = async (offset: number, partstat: string) => {
    await others(replying(offset, partstat));
    await person.sync();
  };
  const replies = async () =>
    (await events()).map(({ attendees }) => attendees.map(({ status }: { status: string }) => status).join());
  const partstats = async () => {
    const lines = unfolded((await shared.ics()) ?? "").matchAll(/^ATTENDEE.*PARTSTAT=([A-Z-]+).*mailto:ben@.*$/gm);
    return [...lines].map(([, partstat]) => partstat);
  };
  return { ...shared, reply, replies, partstats };
}

const six = (third: string) => ["needs_action", "needs_action", third, "needs_action", "needs_action", "needs_action"];

it("the reply is that occurrence's, is notified once, and stays when the application renames the series", async () => {
  const { person, events, write, reply, replies, partstats, settled } = await invited("Replied");
  await reply(3, "DECLINED");
  expect(await replies()).toEqual(six("declined"));
  expect(await settled()).toEqual(["change"]);
  await write({ summary: "Renamed" });
  await person.push();
  await person.sync();
  expect(await replies()).toEqual(six("declined"));
  expect((await events()).map(({ summary }) => summary)).toEqual(Array(6).fill("Renamed"));
  expect(await partstats()).toEqual(["NEEDS-ACTION", "DECLINED"]);
  expect(await settled()).toEqual(["change"]);
});

it("the reply stays where the application's new rule has the day, and follows the series to another time", async () => {
  const { person, write, starts, reply, replies, partstats, settled } = await invited("Rewritten");
  await reply(3, "ACCEPTED");
  await write({ recurrence: { rules: [{ frequency: "daily", count: 4 }] } });
  await person.push();
  await person.sync();
  expect(await replies()).toEqual(six("accepted").slice(0, 4));
  await write({ start: at(1, "11:00"), end: at(1, "12:00") });
  await person.push();
  await person.sync();
  expect(await starts()).toEqual([1, 2, 3, 4].map((offset) => `${day(offset)}T11:00`));
  expect(await replies()).toEqual(six("accepted").slice(0, 4));
  expect(await partstats()).toEqual(["NEEDS-ACTION", "ACCEPTED"]);
  await write({ recurrence: { rules: [{ frequency: "daily", count: 2 }] } });
  await person.push();
  await person.sync();
  expect(await partstats()).toEqual(["NEEDS-ACTION"]);
  expect(await replies()).toEqual(["needs_action", "needs_action"]);
  expect(await settled()).toEqual(["change"]);
});

it("the reply to an occurrence that the application changed, and changes again, stays", async () => {
  const { others, person, move, write, reply, replies, starts, settled } = await invited("Changed");
  await move(3, "15:00");
  await person.push();
  await person.sync();
  await others((ics) =>
    unfolded(ics).replace(/(RECURRENCE-ID[\s\S]*?PARTSTAT=)NEEDS-ACTION([^\r]*mailto:ben@)/, "$1TENTATIVE$2"),
  );
  await person.sync();
  expect([...(await replies())].sort()).toEqual([...Array(5).fill("needs_action"), "tentative"]);
  expect(await settled()).toEqual(["change"]);
  await write({
    recurrence: { rules: [{ frequency: "daily", count: 6 }], exceptions: { change: [] } },
  });
  await person.push();
  await person.sync();
  expect(await starts()).toEqual([1, 2, 3, 4, 5, 6].map((offset) => `${day(offset)}T09:00`));
  expect(await replies()).toEqual(six("tentative"));
  await reply(5, "DECLINED");
  expect((await replies())[4]).toBe("declined");
  expect(await settled()).toEqual(["change", "change"]);
});

it("guests whom the application invites later come to the day with the reply, too, and those it removes do not", async () => {
  const { person, write, reply, events, partstats, ics } = await invited("Later guests");
  await reply(3, "DECLINED");
  await write({ attendees: { invite: [{ email: "carol@example.com" }] } });
  await person.push();
  await person.sync();
  const emails = async () =>
    (await events()).map(({ attendees }) => attendees.map((one: { email: string }) => one.email));
  expect(await emails()).toEqual(Array(6).fill([BEN, "carol@example.com"]));
  expect(unfolded((await ics()) ?? "").match(/^ATTENDEE.*mailto:carol@/gm)).toHaveLength(2);
  await write({ attendees: { remove: [{ email: BEN }] } });
  await person.push();
  await person.sync();
  expect(await emails()).toEqual(Array(6).fill(["carol@example.com"]));
  expect(await partstats()).toEqual([]);
});
