import { onTestFinished } from "vitest";
import { context } from "@/server/context";
import { address } from "../api/service";
import type { AccountState } from "../fakes/microsoft/account-state";
import { setSyncDue } from "../fakes/stored";
import { connectMicrosoftPerson, type Microsoft, type MicrosoftSetUp, microsoft } from "./microsoft-person";
import { day } from "./world";

export const ADA = "ada@example.com";
export const BOB = "bob@example.com";
/** The name of the calendar that every account has. */
export const CALENDAR = "Calendar";

/** A time in Lagos, where the clocks never change, so many days from today. */
export const at = (offset: number, time = "10:00") => ({
  dateTime: `${day(offset)}T${time}:00`,
  timeZone: "W. Central Africa Standard Time",
});
export const timed = (offset: number, from = "10:00", to = "11:00") => ({
  start: at(offset, from),
  end: at(offset, to),
});
export const wholeDay = (offset: number) => ({
  isAllDay: true,
  start: at(offset, "00:00"),
  end: at(offset + 1, "00:00"),
});

export interface MicrosoftScene extends MicrosoftSetUp {
  /** What there is before anything is connected. */
  fill?(ada: AccountState, fake: Microsoft): void;
}

async function connected({ fill, ...options }: MicrosoftScene) {
  const fake = await microsoft(options);
  const ada = fake.account(ADA);
  fill?.(ada, fake);
  return { fake, ada, calendar: ada.primary, person: await connectMicrosoftPerson(fake) };
}

/** Ada, whose calendars at Microsoft were synced once. */
export async function syncedMicrosoft(scene: MicrosoftScene = {}) {
  const { fake, ada, calendar, person } = await connected(scene);
  await person.sync();
  const calendarId = await person.calendarId(CALENDAR);
  const path = `/v1/calendars/${calendarId}/events`;
  const summaries = async () => (await person.events(calendarId)).map(({ summary }: { summary: string }) => summary);
  fake.requests.length = 0;
  return { fake, ada, calendar, person, calendarId, path, summaries };
}

/** Ada, whose calendars at Microsoft were synced once by a process that Microsoft notifies. */
export async function watchedMicrosoft({ pollMs, ...scene }: MicrosoftScene & { pollMs?: number } = {}) {
  const { fake, ada, calendar, person } = await connected(scene);
  const hook = `${await address()}/hooks/microsoft`;
  /** Where notices are sent to. */
  const site = { hook };
  const { syncing } = person.loops({ hookUrl: () => site.hook, ...(pollMs && { pollMs }) });
  onTestFinished(() => syncing.stop());
  /** The profile is synced, as it is when its poll is due. */
  const poll = async () => {
    await setSyncDue(person.profileId, new Date(context.clock?.now() ?? Date.now()));
    await syncing.drain(60_000);
  };
  /** All notices have come, and what they are about is read. */
  const noticed = async () => {
    await fake.notices.settled();
    await syncing.drain(60_000);
  };
  await poll();
  await fake.notices.settled();
  const calendarId = await person.calendarId(CALENDAR);
  const summaries = async () => (await person.events(calendarId)).map(({ summary }: { summary: string }) => summary);
  fake.requests.length = 0;
  return { fake, ada, calendar, person, syncing, hook, site, poll, noticed, calendarId, summaries };
}

/** The requests to Graph, parts of batches too, without what all their paths begin with. */
export function asked({ requests }: Microsoft): string[] {
  const base = "/v1.0/";
  return requests.flatMap(({ method, path }) =>
    path.startsWith(base) ? [`${method} ${path.slice(base.length)}`] : [],
  );
}

/** The bodies that were sent with a method to Graph about events. */
export function sent({ requests }: Microsoft, method: "POST" | "PATCH"): Record<string, unknown>[] {
  const own = requests.filter(
    (one) => one.method === method && /^\/v1\.0\/me\/(?:calendars\/[^/]+\/)?events/.test(one.path),
  );
  return own.map(({ body }) => JSON.parse(body));
}
