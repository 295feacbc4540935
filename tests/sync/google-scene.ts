import { onTestFinished } from "vitest";
import { context } from "@/server/context";
import { address } from "../api/service";
import type { fakeClock } from "../fakes/clock";
import type { AccountState } from "../fakes/google/account-state";
import { setSyncDue } from "../fakes/stored";
import { connectGooglePerson, type Google, type GoogleSetUp, google } from "./google-person";
import { day } from "./world";

export const ADA = "ada@example.com";
export const BOB = "bob@example.com";

/** A time in Lagos, where the clocks never change, so many days from today. */
export const at = (offset: number, time = "10:00") => ({
  dateTime: `${day(offset)}T${time}:00`,
  timeZone: "Africa/Lagos",
});
export const timed = (offset: number, from = "10:00", to = "11:00") => ({
  start: at(offset, from),
  end: at(offset, to),
});
export const wholeDay = (offset: number) => ({ start: { date: day(offset) }, end: { date: day(offset + 1) } });

interface Scene extends GoogleSetUp {
  /** What there is before anything is connected. */
  fill?(ada: AccountState, provider: Google): void;
}

async function connected({ fill, ...options }: Scene) {
  const provider = await google(options);
  const ada = provider.account(ADA);
  fill?.(ada, provider);
  return { provider, ada, calendar: ada.primary, person: await connectGooglePerson(provider) };
}

/** Ada, whose calendars at Google were synced once. */
export async function syncedGoogle(scene: Scene = {}) {
  const { provider, ada, calendar, person } = await connected(scene);
  await person.sync();
  const calendarId = await person.calendarId(ADA);
  const path = `/v1/calendars/${calendarId}/events`;
  const summaries = async () => (await person.events(calendarId)).map(({ summary }: { summary: string }) => summary);
  provider.requests.length = 0;
  return { provider, ada, calendar, person, calendarId, path, summaries };
}

/** Ada, whose calendars at Google were synced once by a process that Google notifies. */
export async function watchedGoogle({ pollMs, ...scene }: Scene & { pollMs?: number } = {}) {
  const { provider, ada, calendar, person } = await connected(scene);
  const hook = `${await address()}/hooks/google`;
  const { syncing } = person.loops({ hookUrl: () => hook, ...(pollMs && { pollMs }) });
  onTestFinished(() => syncing.stop());
  /** The profile is synced, as it is when its poll is due. */
  const poll = async () => {
    await setSyncDue(person.profileId, new Date(context.clock?.now() ?? Date.now()));
    await syncing.drain(60_000);
  };
  /** All notices have come, and what they are about is read. */
  const noticed = async () => {
    await provider.notices.settled();
    await syncing.drain(60_000);
  };
  await poll();
  await provider.notices.settled();
  const calendarId = await person.calendarId(ADA);
  const summaries = async () => (await person.events(calendarId)).map(({ summary }: { summary: string }) => summary);
  provider.requests.length = 0;
  return { provider, ada, calendar, person, syncing, hook, poll, noticed, calendarId, summaries };
}

/** The requests to the calendar API, without what all their paths begin with. */
export function asked({ requests }: Google): string[] {
  const base = "/calendar/v3/";
  return requests.flatMap(({ method, path }) =>
    path.startsWith(base) ? [`${method} ${path.slice(base.length)}`] : [],
  );
}

/** What is asked when the profile is due, while the clock of the test (`fakeClock`) runs for so long. */
export async function askedDuring(
  { person, provider, syncing }: Awaited<ReturnType<typeof watchedGoogle>>,
  ms: number,
) {
  const clock = context.clock as ReturnType<typeof fakeClock>;
  provider.requests.length = 0;
  const end = clock.now() + ms;
  for (;;) {
    const dueIn = Math.max(0, Number((await person.profile()).due_in) * 1_000) + 1;
    if (clock.now() + dueIn > end) break;
    clock.advance(dueIn);
    await syncing.drain(60_000);
  }
  clock.advance(end - clock.now());
  return asked(provider);
}

/** The bodies that were sent with a method to the calendar API. */
export function sent({ requests }: Google, method: "POST" | "PATCH"): Record<string, unknown>[] {
  const own = requests.filter((one) => one.method === method && one.path.startsWith("/calendar/v3/"));
  return own.map(({ body }) => JSON.parse(body));
}
