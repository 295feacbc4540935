import { MOST_BYTES_SENT, MOST_CHANGES_SENT } from "@/server/domain/channels/delivery-settings";
import { GIVEN_UP_AFTER_MS, MOST_ATTEMPTS, RETRIED_FOR_MS, WAITS_MS } from "@/server/domain/channels/schedule";
import { MAX_AUTHORIZATIONS, MAX_OPEN_AUTHORIZATIONS } from "@/server/domain/delegations";
import { MAX_GUESTS } from "@/server/domain/events/guests";
import {
  MAX_FEED_BYTES,
  MAX_FEED_DAYS_AHEAD,
  MAX_FEED_DAYS_BACK,
  MAX_FEED_OCCURRENCES,
  MAX_FEEDS,
} from "@/server/domain/feeds";
import {
  ACCESS_TOKEN_SECONDS,
  CODE_LIFE_MS,
  LINK_TOKEN_MS,
  MAX_RECONNECT_LINK_SECONDS,
  UNUSED_REGISTRATION_MS,
} from "@/server/domain/grants";
import {
  ASSISTANT_EVENTS,
  EVENTS_PAGE,
  FEED_MEMORY_MS,
  FREE_BUSY_PAGE,
  MAX_AVAILABILITY_GROUPS,
  MAX_AVAILABILITY_MEMBERS,
  MAX_AVAILABILITY_PERIODS,
  MAX_AVAILABILITY_RESULTS,
  MAX_BATCH_ENTRIES,
  MAX_CHANGES,
  MAX_CHANNEL_CALENDARS,
  MAX_GUEST_ENTRIES,
  MAX_HOLD_SECONDS,
  MAX_OPEN_CHANNELS,
  MAX_READ_CALENDARS,
  MAX_REGISTERED_URIS,
  MIN_HOLD_SECONDS,
  WRITES_PAGE,
} from "@/server/domain/limits";
import {
  MAX_REFRESH_MINUTES,
  MAX_SUBSCRIBED_BYTES,
  MAX_SUBSCRIBED_OCCURRENCES,
  MAX_SUBSCRIPTIONS,
  MIN_REFRESH_MINUTES,
} from "@/server/domain/subscriptions";
import {
  MAX_APPLICATION_CALENDAR_ID,
  MAX_APPLICATION_NAME,
  MAX_CALLBACK_URL,
  MAX_DESCRIPTION,
  MAX_EMAIL,
  MAX_FEED_CURSOR,
  MAX_GUEST_NAME,
  MAX_ID,
  MAX_OAUTH_FIELD,
  MAX_PROVIDER_TOKEN,
  MAX_REDIRECT_URI,
  MAX_SUBSCRIPTION_NAME,
  MIN_SECRET_ALONE,
} from "@/server/domain/text-limits";
import { durationGroups, durationWords, roughly } from "@/server/domain/time/duration-words";
import { MAX_MIN_GUESTS, MAX_TRIGGER_MINUTES, MAX_TRIGGERS } from "@/server/domain/triggers";
import { READ_WINDOW_DAYS_AHEAD, READ_WINDOW_DAYS_BACK } from "@/server/domain/window";
import { capacities } from "@/server/env/capacities";
import { ACCOUNT, APPLICATION, FEED, PUBLIC_CLIENT, REGISTRATION } from "@/server/http/rate-limit/buckets";
import { EVENT_BODY, SMALL_BODY } from "@/server/http/read-body";
import { ATTEMPT_DEADLINE_MS } from "@/server/webhooks/attempt";

const DAY_MS = 86_400_000;
const [firstWait = 0, ...laterWaits] = WAITS_MS;

/** Every limit that the documentation names, in its words, from the constant that the code applies. */
export const limits = {
  accessToken: durationWords(ACCESS_TOKEN_SECONDS * 1_000),
  code: durationWords(CODE_LIFE_MS),
  linkToken: durationWords(LINK_TOKEN_MS),
  reconnectLink: durationWords(MAX_RECONNECT_LINK_SECONDS * 1_000),
  reconnectLinkSeconds: count(MAX_RECONNECT_LINK_SECONDS),
  redirectUri: count(MAX_REDIRECT_URI),
  registrations: count(REGISTRATION.burst),
  registrationUris: count(MAX_REGISTERED_URIS),
  applicationName: count(MAX_APPLICATION_NAME),
  unusedRegistration: durationWords(UNUSED_REGISTRATION_MS),
  publicClientBurst: count(PUBLIC_CLIENT.burst),
  publicClientPerSecond: count(perSecond(PUBLIC_CLIENT.interval)),
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
  assistantEvents: count(ASSISTANT_EVENTS),
  freeBusyPage: count(FREE_BUSY_PAGE),
  writesPage: count(WRITES_PAGE),
  batchEntries: count(MAX_BATCH_ENTRIES),
  authorizations: count(MAX_AUTHORIZATIONS),
  openAuthorizations: count(MAX_OPEN_AUTHORIZATIONS),
  readCalendars: count(MAX_READ_CALENDARS),
  availabilityGroups: count(MAX_AVAILABILITY_GROUPS),
  availabilityMembers: count(MAX_AVAILABILITY_MEMBERS),
  availabilityPeriods: count(MAX_AVAILABILITY_PERIODS),
  availabilityResults: count(MAX_AVAILABILITY_RESULTS),
  changes: count(MAX_CHANGES),
  feedMemory: `${FEED_MEMORY_MS / DAY_MS} days`,
  feedCursor: count(MAX_FEED_CURSOR),
  changesSent: count(MOST_CHANGES_SENT),
  changesSentBytes: `${MOST_BYTES_SENT / 1024} KiB`,
  shortestHold: count(MIN_HOLD_SECONDS),
  longestHold: count(MAX_HOLD_SECONDS),
  feeds: count(MAX_FEEDS),
  feedDaysBack: count(MAX_FEED_DAYS_BACK),
  feedDaysAhead: count(MAX_FEED_DAYS_AHEAD),
  feedReads: count(FEED.burst),
  feedReadsPerMinute: count(60 * perSecond(FEED.interval)),
  feedOccurrences: count(MAX_FEED_OCCURRENCES),
  feedBytes: `${MAX_FEED_BYTES / 1024 ** 2} MiB`,
  triggers: count(MAX_TRIGGERS),
  triggerMinutes: count(MAX_TRIGGER_MINUTES),
  triggerGuests: count(MAX_MIN_GUESTS),
  subscriptions: count(MAX_SUBSCRIPTIONS),
  subscriptionName: count(MAX_SUBSCRIPTION_NAME),
  shortestRefresh: count(MIN_REFRESH_MINUTES),
  longestRefresh: count(MAX_REFRESH_MINUTES),
  subscriptionSize: `${MAX_SUBSCRIBED_BYTES / 1024 ** 2} MiB`,
  subscriptionOccurrences: count(MAX_SUBSCRIBED_OCCURRENCES),
  guests: count(MAX_GUESTS),
  guestEntries: count(MAX_GUEST_ENTRIES),
  email: count(MAX_EMAIL),
  guestName: count(MAX_GUEST_NAME),
  callbackUrl: count(MAX_CALLBACK_URL),
  channelCalendars: count(MAX_CHANNEL_CALENDARS),
  oauthField: count(MAX_OAUTH_FIELD),
  providerToken: count(MAX_PROVIDER_TOKEN),
  secretAlone: count(MIN_SECRET_ALONE),
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
