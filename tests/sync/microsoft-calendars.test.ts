import { describe, expect, it } from "vitest";
import { ADA, asked, BOB, CALENDAR, syncedMicrosoft } from "./microsoft-scene";

type Row = { calendar_name: string; calendar_readonly: boolean; calendar_primary: boolean; calendar_deleted: boolean };

async function listed(person: Awaited<ReturnType<typeof syncedMicrosoft>>["person"]) {
  const { json } = await person.get("/v1/calendars");
  return json.calendars.map(({ calendar_name, calendar_readonly, calendar_primary, calendar_deleted }: Row) => ({
    ...{ name: calendar_name, readonly: calendar_readonly, primary: calendar_primary, deleted: calendar_deleted },
  }));
}

const own = { name: CALENDAR, readonly: false, primary: true, deleted: false };

describe("the calendars of an account at Microsoft", () => {
  it("are its own and those that others share, of which it may only read some", async () => {
    const { person } = await syncedMicrosoft({
      accounts: [{ email: ADA }, { email: BOB }],
      fill: (ada) => {
        ada.addCalendar({ name: "Holidays", canEdit: false });
        ada.addSharedCalendar({ owner: BOB, name: "Bob's", canEdit: true });
        ada.addSharedCalendar({ owner: BOB, name: "Bob's team" });
      },
    });
    expect(await listed(person)).toEqual([
      own,
      { name: "Holidays", readonly: true, primary: false, deleted: false },
      { name: "Bob's", readonly: false, primary: false, deleted: false },
      { name: "Bob's team", readonly: true, primary: false, deleted: false },
    ]);
  });

  it("are all there when the list has several pages, some of them empty", async () => {
    const names = ["A", "B", "C"];
    const { person } = await syncedMicrosoft({
      knobs: { pageSize: 2, emptyPages: true },
      fill: (ada) => {
        for (const name of names) ada.addCalendar({ name });
      },
    });
    expect((await listed(person)).map(({ name }: { name: string }) => name)).toEqual([CALENDAR, ...names]);
  });

  it("are new, renamed, no longer writable and gone after the next poll", async () => {
    const { ada, person } = await syncedMicrosoft({ fill: (account) => void account.addCalendar({ name: "Home" }) });
    const homeId = await person.calendarId("Home");
    const home = ada.addCalendar({ name: "Shared", canEdit: true });
    await person.sync();
    const sharedId = await person.calendarId("Shared");
    ada.changeCalendar(home, { name: "Shared later" });
    ada.setEditable(home, false);
    ada.addCalendar({ name: "New" });
    await person.sync();
    expect(await listed(person)).toContainEqual({
      name: "Shared later",
      readonly: true,
      primary: false,
      deleted: false,
    });
    expect([await person.calendarId("Shared later"), await person.calendarId("Home")]).toEqual([sharedId, homeId]);
    ada.removeCalendar(home);
    await person.sync();
    expect(await listed(person)).toContainEqual({
      name: "Shared later",
      readonly: true,
      primary: false,
      deleted: true,
    });
    expect(await listed(person)).toContainEqual({ name: "New", readonly: false, primary: false, deleted: false });
  });

  it.each([
    ["microsoft", true],
    ["outlook", false],
  ] as const)("have meeting links where the account may use Teams: %s", async (provider, expected) => {
    const { person } = await syncedMicrosoft({
      provider,
      fill: (ada) => void ada.addCalendar({ name: "Readable", canEdit: false, providers: ["teamsForBusiness"] }),
    });
    const { json } = await person.get("/v1/calendars");
    const shown = json.calendars.map((one: Record<string, unknown>) => [
      one.calendar_name,
      one.calendar_integrated_conferencing_available,
    ]);
    expect(Object.fromEntries(shown)).toEqual({ [CALENDAR]: expected, Readable: false });
  });

  it("stay, with a reason for staff, while the account has no mailbox, and are synced again once it has", async () => {
    const { ada, person } = await syncedMicrosoft();
    ada.removeMailbox();
    await person.sync();
    expect(await person.profile()).toMatchObject({ connected: true, sync_error: "no_mailbox" });
    await person.sync();
    expect(await listed(person)).toEqual([own]);
  });

  it("cost one request to list", async () => {
    const { fake, person } = await syncedMicrosoft();
    await person.sync();
    expect(asked(fake).filter((one) => one.endsWith("me/calendars"))).toEqual(["GET me/calendars"]);
  });
});
