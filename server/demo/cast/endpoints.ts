import type { ApplicationKey } from "@/server/demo/cast/applications";
import type { Random } from "@/server/demo/random";

/** A receiver's response to an attempt. */
export interface Reply {
  status: number | null;
  error: "timeout" | "dns" | null;
  durationMs: number;
  address: string | null;
  headers: Record<string, string> | null;
  body: string | null;
}

export interface CastEndpoint {
  application: ApplicationKey;
  url: string;
  /** Reports whether an account's channel leads to this endpoint. `place`: the account's position within its application. */
  isOf(place: number): boolean;
  /** Returns the response that many hours before the end of the month. */
  reply(hoursAgo: number, random: Random): Reply;
  /** How many hours ago its channels were closed because it responded with 410. */
  goneHoursAgo?: number;
  /** How many hours ago it stopped working. */
  brokenHoursAgo?: number;
}

/**
 * Receivers of the accounts' webhooks. Nobody owns these hosts, so what the running service sends there by itself finds
 * no address.
 */
export const castEndpoints: readonly CastEndpoint[] = [
  {
    ...{ application: "northwind", url: "https://api.northwind-booking.example/webhooks/calendar?tenant=eu-1" },
    isOf: (place) => place % 8 !== 5,
    // An outage of two hours and a half, nine days ago, and a slow hour yesterday.
    reply: (hoursAgo, random) => {
      if (hoursAgo < 9 * 24 + 2.5 && hoursAgo > 9 * 24) return unavailableReply(random);
      if (hoursAgo < 27 && hoursAgo > 26 && random.percent(45)) return timeout();
      return random.percent(0.8) ? timeout() : successReply(random, [38, 160]);
    },
  },
  {
    ...{ application: "northwind", url: "https://reminders.northwind-booking.example/almanac" },
    isOf: (place) => place % 8 === 5,
    // A release that could not parse notifications, for two days of last week.
    reply: (hoursAgo, random) =>
      hoursAgo < 7 * 24 && hoursAgo > 5 * 24 ? brokenReply(random) : successReply(random, [90, 420]),
  },
  {
    ...{ application: "lumen", url: "https://hooks.lumen-crm.example/v2/almanac" },
    isOf: (place) => place % 4 !== 3,
    reply: (_, random) => (random.percent(1.5) ? unavailableReply(random) : successReply(random, [24, 95])),
  },
  {
    ...{ application: "lumen", url: "https://legacy.lumen-crm.example/calendar-sync" },
    isOf: (place) => place % 4 === 3,
    // Its name was removed some hours ago.
    reply: (hoursAgo, random) => (hoursAgo < 7.4 ? missingHostReply(random) : successReply(random, [140, 700])),
    brokenHoursAgo: 7.4,
  },
  {
    ...{ application: "quill", url: "https://quill-recruiting.example/hooks/almanac" },
    isOf: () => true,
    reply: (hoursAgo, random) => (hoursAgo <= 11 * 24 ? goneReply(random) : successReply(random, [60, 210])),
    goneHoursAgo: 11 * 24,
  },
];

const server = { "content-type": "application/json; charset=utf-8", server: "nginx" };

function successReply(random: Random, [least, most]: [number, number]): Reply {
  const usual = least + (most - least) * random.next() ** 3;
  const durationMs = Math.round(random.percent(3) ? usual * 6 : usual);
  const status = random.percent(12) ? 204 : 200;
  const body = status === 204 ? "" : '{"received":true}';
  return { status, error: null, durationMs, address: "203.0.113.24", headers: server, body };
}

function unavailableReply(random: Random): Reply {
  const headers = { "content-type": "text/html", server: "nginx", "retry-after": "120" };
  const body = "<html>\r\n<head><title>503 Service Temporarily Unavailable</title></head>\r\n</html>\r\n";
  return { status: 503, error: null, durationMs: random.between(4, 30), address: "203.0.113.24", headers, body };
}

function brokenReply(random: Random): Reply {
  const body = '{"error":"TypeError: Cannot read properties of undefined (reading \'calendar_ids\')"}';
  return {
    status: 500,
    error: null,
    durationMs: random.between(12, 70),
    address: "203.0.113.40",
    headers: server,
    body,
  };
}

function goneReply(random: Random): Reply {
  const body = '{"error":"this endpoint was retired"}';
  return {
    status: 410,
    error: null,
    durationMs: random.between(20, 60),
    address: "203.0.113.77",
    headers: server,
    body,
  };
}

function timeout(): Reply {
  return { status: null, error: "timeout", durationMs: 5_000, address: "203.0.113.24", headers: null, body: null };
}

function missingHostReply(random: Random): Reply {
  return { status: null, error: "dns", durationMs: random.between(6, 48), address: null, headers: null, body: null };
}
