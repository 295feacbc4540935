import type { ApiRequest } from "@/tests/rig/google/requests";

const DAY_MS = 86_400_000;
const DAYS = 60;

/** One occurrence as a person sees it in the calendar. */
export interface Seen {
  summary: string;
  start: string;
  end: string;
  guests: string[];
  hasLink: boolean;
}

/** One write in the life of an event, what it sends, and what the calendar shows of the event after it. */
export interface Step {
  request: ApiRequest;
  mails: Partial<Record<"invitation" | "update" | "cancellation", number>>;
  shows: Seen[];
}

/** An event, and what the application does to it: in the round in which it is created, and in those after it. */
export interface Life {
  eventId: string;
  steps: Step[];
}

/** The events that the application creates in round `n`. */
export function livesOf(n: number, path: string): Life[] {
  return [
    ["guests", invited],
    ["silent", silent],
    ["series", repeated],
    ["meeting", meeting],
  ].map(([kind, live]) => {
    const eventId = `${kind}-${n}`;
    return { eventId, steps: (live as Live)({ eventId, n, path }) };
  });
}

type Live = (of: { eventId: string; n: number; path: string }) => Step[];

/** UTC, `days` after the first day of round `n`. */
function at(n: number, hour: number, days = 0): string {
  const first = Math.floor(Date.now() / DAY_MS) + 2 + (n % DAYS);
  return new Date((first + days) * DAY_MS + hour * 3_600_000).toISOString().replace(".000", "");
}

const invite = (...names: string[]) => ({ invite: names.map((name) => ({ email: `${name}@example.com` })) });
const emails = (...names: string[]) => names.map((name) => `${name}@example.com`);
const post = (path: string, body: object): ApiRequest => ({ method: "POST", path, body });

const invited: Live = ({ eventId, n, path }) => {
  const times = { start: at(n, 8), end: at(n, 9) };
  const event = { event_id: eventId, ...times };
  return [
    {
      request: post(path, { ...event, summary: eventId, attendees: invite("bob", "cy") }),
      mails: { invitation: 2 },
      shows: [{ summary: eventId, ...times, guests: emails("bob", "cy"), hasLink: false }],
    },
    {
      request: post(path, { ...event, summary: `${eventId} renamed`, attendees: invite("di") }),
      mails: { invitation: 1, update: 2 },
      shows: [{ summary: `${eventId} renamed`, ...times, guests: emails("bob", "cy", "di"), hasLink: false }],
    },
    {
      request: { method: "DELETE", path, body: { event_id: eventId } },
      mails: { cancellation: 3 },
      shows: [],
    },
  ];
};

const silent: Live = ({ eventId, n, path }) => {
  const event = { event_id: eventId, summary: eventId, notify_attendees: false };
  const [one, other] = [
    { start: at(n, 10), end: at(n, 11) },
    { start: at(n, 12), end: at(n, 13) },
  ];
  return [
    {
      request: post(path, { ...event, ...one, attendees: invite("bob", "cy") }),
      mails: {},
      shows: [{ summary: eventId, ...one, guests: emails("bob", "cy"), hasLink: false }],
    },
    {
      request: post(path, { ...event, ...other, attendees: { remove: [{ email: "bob@example.com" }] } }),
      mails: {},
      shows: [{ summary: eventId, ...other, guests: emails("cy"), hasLink: false }],
    },
  ];
};

const COUNT = 5;

/** A daily series: day 1 is skipped, which belongs to its rules, day 2 renamed and day 3 moved. Then all of it takes place later. Then day 0 is cancelled. */
const repeated: Live = ({ eventId, n, path }) => {
  const rules = [{ frequency: "daily", count: COUNT }];
  const date = (days: number) => at(n, 0, days).slice(0, 10);
  const moved = { start: at(n, 20, 3), end: at(n, 21, 3) };
  const exceptions = {
    add: [{ date: date(1) }],
    change: [
      { date: date(2), summary: `${eventId} renamed` },
      { date: date(3), ...moved },
    ],
  };
  const event = (hour: number) => ({
    ...{ event_id: eventId, summary: eventId, tzid: "Etc/UTC", start: at(n, hour), end: at(n, hour + 1) },
    attendees: invite("bob"),
  });
  const usual = (hour: number, days: number) => ({ start: at(n, hour, days), end: at(n, hour + 1, days) });
  const shows = (hour: number, days: number[]) =>
    days.map((day) => ({
      summary: day === 2 ? `${eventId} renamed` : eventId,
      ...(day === 3 ? moved : usual(hour, day)),
      ...{ guests: emails("bob"), hasLink: false },
    }));
  return [
    {
      request: post(path, { ...event(14), recurrence: { rules, exceptions } }),
      mails: { invitation: 1, update: 2 },
      shows: shows(14, [0, 2, 3, 4]),
    },
    {
      request: post(path, { ...event(16), recurrence: { rules } }),
      mails: { update: 3 },
      shows: shows(16, [0, 2, 3, 4]),
    },
    {
      request: { method: "DELETE", path, body: { event_id: eventId, occurrence_date: date(0) } },
      mails: { cancellation: 1 },
      shows: shows(16, [2, 3, 4]),
    },
  ];
};

const meeting: Live = ({ eventId, n, path }) => {
  const times = { start: at(n, 18), end: at(n, 19) };
  const event = { event_id: eventId, ...times };
  const shows = (summary: string, hasLink: boolean) => [{ summary, ...times, guests: emails("bob"), hasLink }];
  const link = (profile_id: string) => ({ conferencing: { profile_id } });
  return [
    {
      request: post(path, { ...event, summary: eventId, attendees: invite("bob"), ...link("integrated") }),
      mails: { invitation: 1 },
      shows: shows(eventId, true),
    },
    {
      request: post(path, { ...event, summary: `${eventId} renamed` }),
      mails: { update: 1 },
      shows: shows(`${eventId} renamed`, true),
    },
    {
      request: post(path, { ...event, summary: `${eventId} renamed`, ...link("none") }),
      mails: { update: 1 },
      shows: shows(`${eventId} renamed`, false),
    },
  ];
};
