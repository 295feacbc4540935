import { GIVEN_UP_AFTER_MS, MOST_ATTEMPTS, RETRIED_FOR_MS, WAITS_MS } from "@/server/domain/channels/schedule";
import { MAX_GUESTS } from "@/server/domain/events/guests";
import { ACCESS_TOKEN_SECONDS, CODE_LIFE_MS, LINK_TOKEN_MS } from "@/server/domain/grants";
import {
  EVENTS_PAGE,
  FREE_BUSY_PAGE,
  MAX_CHANNEL_CALENDARS,
  MAX_GUEST_ENTRIES,
  MAX_OPEN_CHANNELS,
  MAX_READ_CALENDARS,
} from "@/server/domain/limits";
import {
  MAX_APPLICATION_CALENDAR_ID,
  MAX_CALLBACK_URL,
  MAX_DESCRIPTION,
  MAX_EMAIL,
  MAX_GUEST_NAME,
  MAX_ID,
  MAX_OAUTH_FIELD,
} from "@/server/domain/text-limits";
import { durationGroups, durationWords, roughly } from "@/server/domain/time/duration-words";
import { READ_WINDOW_DAYS_AHEAD, READ_WINDOW_DAYS_BACK } from "@/server/domain/window";
import { capacities } from "@/server/env/capacities";
import { ACCOUNT, APPLICATION } from "@/server/http/rate-limit/buckets";
import { EVENT_BODY, SMALL_BODY } from "@/server/http/read-body";
import { ATTEMPT_DEADLINE_MS } from "@/server/webhooks/attempt";

const [firstWait = 0, ...laterWaits] = WAITS_MS;

/** Every limit that the documentation names, in its words, from the constant that the code applies. */
export const limits = {
  accessToken: durationWords(ACCESS_TOKEN_SECONDS * 1_000),
  code: durationWords(CODE_LIFE_MS),
  linkToken: durationWords(LINK_TOKEN_MS),
  response: durationWords(ATTEMPT_DEADLINE_MS),
  attempts: count(MOST_ATTEMPTS),
  attemptsInWords: inWords(MOST_ATTEMPTS),
  retried: roughly(RETRIED_FOR_MS),
  delivery: durationWords(GIVEN_UP_AFTER_MS),
  firstWait: durationWords(firstWait),
  laterWaits: durationGroups(laterWaits).join(" and "),
  daysBack: `${READ_WINDOW_DAYS_BACK} days`,
  daysAhead: `${READ_WINDOW_DAYS_AHEAD} days`,
  eventsPage: count(EVENTS_PAGE),
  freeBusyPage: count(FREE_BUSY_PAGE),
  readCalendars: count(MAX_READ_CALENDARS),
  guests: count(MAX_GUESTS),
  guestEntries: count(MAX_GUEST_ENTRIES),
  email: count(MAX_EMAIL),
  guestName: count(MAX_GUEST_NAME),
  callbackUrl: count(MAX_CALLBACK_URL),
  channelCalendars: count(MAX_CHANNEL_CALENDARS),
  oauthField: count(MAX_OAUTH_FIELD),
  applicationCalendarId: count(MAX_APPLICATION_CALENDAR_ID),
  id: count(MAX_ID),
  channels: count(MAX_OPEN_CHANNELS),
  applicationBurst: count(APPLICATION.burst),
  applicationPerSecond: count(perSecond(APPLICATION.interval)),
  accountBurst: count(ACCOUNT.burst),
  accountPerSecond: count(perSecond(ACCOUNT.interval)),
  eventBody: `${EVENT_BODY / 1024 ** 2} MiB`,
  smallBody: `${SMALL_BODY / 1024} KiB`,
  description: count(MAX_DESCRIPTION),
  poll: durationWords(capacities.SYNC_POLL_SECONDS.byDefault * 1_000),
  quietPoll: durationWords(capacities.SYNC_QUIET_POLL_SECONDS.byDefault * 1_000),
};

/** Formats a number as "1,000". */
export function count(number: number): string {
  return number.toLocaleString("en-US");
}

function inWords(number: number): string {
  const words = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
  ];
  return words[number] ?? count(number);
}

function perSecond(intervalMicroseconds: number): number {
  return 1_000_000 / intervalMicroseconds;
}
