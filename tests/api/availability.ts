import { changeCalendar, changeProfile, changeSync } from "../fakes/stored";
import type { ConnectedAccount } from "./grants";
import { type ApiResponse, type Application, call, type Opened } from "./service";

/** HTTP Basic of an application. */
export function basic({ clientId, clientSecret }: Application): { authorization: string } {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

export interface Question {
  participants: object[];
  [field: string]: unknown;
}

/** POST /v1/availability with an application's credentials. */
export function ask(application: Application, question: object): Promise<ApiResponse> {
  return call("POST", "/v1/availability", { json: question, headers: basic(application) });
}

/** A question for an hour that all members have free. */
export function hourOf(members: readonly Opened[], period: { start: string; end: string }): Question {
  return {
    participants: [{ members: members.map(({ accountId }) => ({ sub: accountId })) }],
    required_duration: { minutes: 60 },
    query_periods: [period],
  };
}

/** As the first sync of an account leaves it. */
export async function readAll({ profileId, calendarIds }: ConnectedAccount, now = Date.now()): Promise<void> {
  await changeProfile(profileId, { initialSyncRequired: false });
  await changeSync(profileId, { lastSyncAt: new Date(now) });
  for (const id of Object.values(calendarIds)) await changeCalendar(id, { readAt: new Date(now) });
}

const DAY_MS = 86_400_000;

/** A time on a day from today on, in UTC. */
export function at(day: number, time: string): string {
  return `${dayFromToday(day)}T${time}:00Z`;
}

export function dayFromToday(day: number): string {
  return new Date(Date.now() + day * DAY_MS).toISOString().slice(0, 10);
}
