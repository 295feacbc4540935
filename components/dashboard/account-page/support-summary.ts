import {
  accountName,
  accountState,
  closerWord,
  errorSentence,
  kindWords,
  mailboxReason,
  profileState,
  providerWord,
  syncsFailed,
} from "@/components/dashboard/accounts/words";
import { stateWord } from "@/components/dashboard/accounts/write-words";
import { lastAnswer, shownState } from "@/components/dashboard/deliveries/words";
import { endpointStates } from "@/components/dashboard/endpoints/words";
import { counted, formatCount } from "@/components/ui/number";
import { utcTime } from "@/components/ui/relative-time";
import { parsedUrl } from "@/server/domain/net/parsed-url";
import type {
  AccountChannel,
  AccountDetail,
  AccountProfile,
  FailedWrite,
} from "@/server/services/staff/accounts/shapes";
import type { DeliveryRow } from "@/server/services/staff/lists/deliveries";
import type { RequestRow } from "@/server/services/staff/lists/requests";

/** A ticket has room for the first of them. */
const MOST = 10;

export interface SummarizedAccount {
  account: AccountDetail;
  /** Null: none is stored. */
  lastDelivery: DeliveryRow | null;
  lastFailedDelivery: DeliveryRow | null;
  lastRequest: RequestRow | null;
  /** The whole address of the account's page. */
  pageUrl: string;
  /** When it is copied. ISO, UTC. */
  at: string;
}

/**
 * Writes what a support ticket needs to know about an account, as plain text with times in UTC: no event text, no secret,
 * and no query of a callback URL, which may hold one.
 */
export function supportSummary(summarized: SummarizedAccount): string {
  const { account, lastDelivery, lastFailedDelivery, lastRequest, pageUrl, at } = summarized;
  const { id, profiles, channels, failedWrites, waitingWrites } = account;
  return [
    `Account: ${plain(accountName(account))}`,
    `Account ID: ${id}`,
    `sub: ${id}`,
    `Type: ${kindWords[account.kind]}`,
    `Application: ${plain(account.applicationName)} (${account.applicationId})`,
    `State: ${accountState(account).word}${account.revokedAt ? ` since ${utcTime(account.revokedAt)}` : ""}`,
    `Created: ${utcTime(account.createdAt)}`,
    `Page: ${pageUrl}`,
    `As of: ${utcTime(at)}`,
    "",
    ...list("Profiles", profiles, profileLines),
    "",
    ...list("Channels", channels, channelLines),
    "",
    `Last delivery: ${deliveryWords(lastDelivery)}`,
    `Last failed delivery: ${deliveryWords(lastFailedDelivery)}`,
    `Last request: ${requestWords(lastRequest)}`,
    "",
    ...list("Failed writes", failedWrites, (write) => writeLines(write, profiles)),
    `Pending writes: ${formatCount(waitingWrites)}`,
  ].join("\n");
}

/** Writes a heading with the number of things, and the first of them. */
function list<Thing>(title: string, things: readonly Thing[], linesOf: (thing: Thing) => string[]): string[] {
  const rest = things.length - MOST;
  return [
    `${title}: ${things.length === 0 ? "none" : formatCount(things.length)}`,
    ...things.slice(0, MOST).flatMap(linesOf),
    ...(rest > 0 ? [`- and ${formatCount(rest)} more`] : []),
  ];
}

function profileLines(profile: AccountProfile): string[] {
  const { id, name, connected, disconnectedAt, lastSyncAt, syncFailures, syncError, provider } = profile;
  const reason = syncError
    ? `${syncsFailed(syncFailures)}: ${errorSentence(syncError, profile)}`
    : !connected && mailboxReason("disconnected", profile, null);
  return [
    `- ${plain(providerWord(profile))}, ${plain(name)} (${id}): ${profileState(profile).word}`,
    ...(reason ? [`  Reason: ${plain(reason)}`] : []),
    ...(connected ? [] : [`  Since: ${disconnectedAt ? utcTime(disconnectedAt) : "unknown"}`]),
    ...(provider === "hosted" ? [] : [`  Last read: ${lastSyncAt ? utcTime(lastSyncAt) : "never"}`]),
  ];
}

function channelLines({ id, callbackUrl, isOfTrigger, trigger, ...channel }: AccountChannel): string[] {
  const named = isOfTrigger ? `Trigger ${trigger?.id ?? id}` : id;
  return [`- ${named}, ${withoutQuery(callbackUrl)}: ${endpointStates[channel.state].word}${sinceWords(channel)}`];
}

type Stateful = Pick<AccountChannel, "state" | "closedAt" | "closedBy" | "pausedAt" | "failingSince">;

function sinceWords({ state, closedAt, closedBy, pausedAt, failingSince }: Stateful): string {
  const since = { closed: closedAt, paused: pausedAt, failing: failingSince, active: null }[state];
  return `${since ? ` since ${utcTime(since)}` : ""}${state === "closed" && closedBy ? `, ${closerWord(closedBy)}` : ""}`;
}

function deliveryWords(delivery: DeliveryRow | null): string {
  if (delivery === null) return "none in the last 30 days";
  const { id, type, test, endpoint, attempts, createdAt } = delivery;
  const what = `${id}, ${type}${test ? " (test)" : ""} to ${endpoint}`;
  const result =
    attempts === 0 ? "no attempts yet" : `${counted(attempts, "attempt")}, last response ${lastAnswer(delivery)}`;
  return `${what}: ${shownState(delivery).word}, ${result}, created ${utcTime(createdAt)}`;
}

function requestWords(request: RequestRow | null): string {
  if (request === null) return "none in the log";
  const { method, path, status, errorKeys, requestId, at } = request;
  const errors = errorKeys.length > 0 ? ` (${errorKeys.join(", ")})` : "";
  return `${method} ${path}: ${status}${errors}, ${plain(requestId)}, ${utcTime(at)}`;
}

function writeLines(write: FailedWrite, profiles: readonly AccountProfile[]): string[] {
  const { eventId, calendarId, profileId, lastError, attempts, createdAt, refusedAt } = write;
  const profile = profiles.find(({ id }) => id === profileId);
  const named = eventId === null ? "an event of others" : plain(eventId);
  const times = [`written ${utcTime(createdAt)}`, ...(refusedAt ? [`ended ${utcTime(refusedAt)}`] : [])];
  return [
    `- ${named} in ${calendarId}: ${stateWord(write)}, ${counted(attempts, "attempt")}, ${times.join(", ")}`,
    ...(lastError ? [`  Reason: ${plain(errorSentence(lastError, profile))}`] : []),
  ];
}

/** Returns the address without its query, its fragment and its credentials. */
function withoutQuery(url: string): string {
  const parsed = parsedUrl(url);
  return parsed === null ? "unreadable URL" : parsed.origin + parsed.pathname;
}

/** Returns a text as one line. */
function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
