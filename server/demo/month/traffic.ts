import type { FilledAccount } from "@/server/demo/month/accounts";
import { type Kind, mistakes, unknownCallers, usualCalls } from "@/server/demo/month/calls";
import type { Month } from "@/server/demo/month/month";
import type { PastRequest } from "@/server/demo/month/requests";
import { busynessAt, HOUR_MS, MINUTE_MS } from "@/server/demo/month/time";

/** Requests in the busiest hour: of the month, of the last day, and of the last hour, which the overview shows in detail. */
const BUSIEST_HOUR = { month: 3, day: 280 };
const LAST_HOUR = 480;
const OF_THOUSAND = { mistake: 26, unknown: 9 };

/**
 * Bursts over the rate limit: how many requests, and how many hours ago. They come from a loop of Lumen's that
 * requested every account at once.
 */
const floods = [
  { hoursAgo: 0.42, requests: 46, over: 31 },
  { hoursAgo: 5.1, requests: 30, over: 18 },
  { hoursAgo: 6.2 * 24, requests: 60, over: 44 },
];

/** Returns the applications' requests, except those that follow a webhook. */
export function pastTraffic(month: Month, accounts: readonly FilledAccount[]): PastRequest[] {
  const { now } = month;
  const living = accounts.filter(({ person }) => person.profiles.some(({ condition }) => condition !== "revoked"));
  const requests: PastRequest[] = [];
  for (let hoursAgo = 29 * 24; hoursAgo > 1; hoursAgo--) {
    const hour = now - hoursAgo * HOUR_MS;
    const most = hoursAgo <= 24 ? BUSIEST_HOUR.day : BUSIEST_HOUR.month;
    requests.push(
      ...someCalls(month, living, {
        from: hour,
        count: Math.round(most * Math.max(busynessAt(hour), 0.1)),
        ms: HOUR_MS,
      }),
    );
  }
  // The chart of the last hour has a bar for each minute, whatever hour it is.
  requests.push(...someCalls(month, living, { from: now - HOUR_MS, count: LAST_HOUR, ms: HOUR_MS - MINUTE_MS / 4 }));
  return [...requests, ...floodRequests(month, living)].sort((one, other) => one.at - other.at);
}

function someCalls(
  { random }: Month,
  accounts: readonly FilledAccount[],
  { from, count, ms }: { from: number; count: number; ms: number },
) {
  return Array.from({ length: count }, (): PastRequest | null => {
    const at = Math.floor(from + random.next() * ms);
    const account = accounts[random.between(0, accounts.length - 1)];
    if (!account || account.createdAt.getTime() > at) return null;
    const which = random.between(1, 1_000);
    if (which <= OF_THOUSAND.unknown) return { at, account: null, ...random.pick(unknownCallers) };
    const kind: Kind =
      which <= OF_THOUSAND.unknown + OF_THOUSAND.mistake ? random.pick(mistakes) : random.pick(usualCalls);
    return { at, account, durationMs: random.between(12, 140) / 10, ...kind(account, { at, random }) };
  }).filter((request) => request !== null);
}

function floodRequests({ now, random }: Month, accounts: readonly FilledAccount[]): PastRequest[] {
  const account = accounts.find(({ person }) => person.email === "marcus@bluefin-media.example");
  if (!account) return [];
  return floods.flatMap(({ hoursAgo, requests, over }) =>
    Array.from({ length: requests + over }, (_, place): PastRequest => {
      const at = now - hoursAgo * HOUR_MS + place * 35 + random.between(0, 20);
      const call = { method: "GET" as const, path: "/v1/calendars" };
      if (place < requests) return { at, account, ...call, status: 200, response: { calendars: [] }, durationMs: 2.4 };
      return { at, account, ...call, status: 429, durationMs: 0.3 };
    }),
  );
}
