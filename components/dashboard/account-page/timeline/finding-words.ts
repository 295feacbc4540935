import { endpointOf } from "@/components/dashboard/account-page/timeline/step-words";
import { errorSentence, providerWord, syncsFailed } from "@/components/dashboard/accounts/words";
import { closedWords, errorWord } from "@/components/dashboard/deliveries/words";
import { shortTime } from "@/components/ui/local-time";
import { formatCount } from "@/components/ui/number";
import type { Tone } from "@/components/ui/state";
import type { Timeline } from "@/server/services/staff/accounts/timeline/shapes";

type Finding = Timeline["findings"][number];

export interface FindingWords {
  tone: Tone;
  title: string;
  text: string;
  /** The delivery in question. */
  delivery?: string;
}

interface Saying {
  timeline: Timeline;
  /** The zone of the times. */
  zone: string;
}

/** Explains in plain words why a notification arrived, or why none did. */
export function findingWords(finding: Finding, saying: Saying): FindingWords {
  const words = "delivery" in finding ? ofDeliveries(finding, saying) : ofAccount(finding, saying);
  return "delivery" in finding ? { ...words, delivery: finding.delivery } : words;
}

function ofAccount(finding: Exclude<Finding, { delivery: string }>, { timeline, zone }: Saying): FindingWords {
  const at = (ms: number) => timeWords(ms, zone);
  switch (finding.kind) {
    case "revoked":
      return bad(
        "Access was revoked",
        `The account was revoked at ${at(finding.at)}. Its data was deleted, its channels were closed, and its calendars are no longer read.`,
      );
    case "disabled":
      return bad(
        "The application is disabled",
        `${timeline.account.applicationName} was disabled at ${at(finding.at)}. Until it is enabled again, its calendars aren’t read and its webhooks aren’t sent.`,
      );
    case "no_channel":
      return bad(
        "No channel",
        "This account has never had a channel, so Almanac sends it no webhooks. The application creates one with POST /v1/channels.",
      );
    case "not_opened":
      return bad(
        "No channel existed yet",
        `The account’s first channel was created at ${at(finding.at)}, after this time.`,
      );
    case "channels_closed":
      return bad(
        "No channel was open",
        `The account’s last channel was closed at ${at(finding.at)}${closedWords(finding.by)}.`,
      );
    case "paused":
      return wait(
        `${endpointOf(finding.channel, timeline)} is paused`,
        `Webhooks to it have been on hold since ${at(finding.at)}. They are sent once staff or the application’s developers resume it.`,
      );
    case "disconnected":
      return bad(
        `${profileWord(finding.profile, timeline)} was disconnected`,
        `${finding.at === null ? "Almanac can’t read its calendars" : `Almanac hasn’t been able to read its calendars since ${at(finding.at)}`}. The user must reconnect.`,
      );
    case "first_sync":
      return wait(
        "Initial sync isn’t finished",
        "Changes found by the initial sync don’t send a webhook each. When it ends, the application receives profile_initial_sync_completed.",
      );
    case "throttled":
      return wait(
        `${providerOf(finding.profile, timeline)} is rate limiting requests`,
        `${profileWord(finding.profile, timeline)} is read again after ${at(finding.until)}. Changes made in the meantime are found then.`,
      );
    case "sync_failing":
      return wait(
        syncsFailed(finding.failures),
        `${errorSentence(
          finding.error,
          timeline.profiles.find(({ id }) => id === finding.profile),
        )} Changes are found once a sync succeeds.${nextSync(finding.profile, { timeline, zone })}`,
      );
    default:
      return ofChanges(finding, { timeline, zone });
  }
}

type OfChanges = Extract<
  Finding,
  {
    kind: "set_aside" | "waiting" | "unexplained" | "filtered" | "own_writes" | "hosted" | "no_change";
  }
>;

function ofChanges(finding: OfChanges, { timeline, zone }: Saying): FindingWords {
  switch (finding.kind) {
    case "set_aside":
      return bad(
        "A change couldn’t be processed",
        "An internal error prevents a change of this account from creating a webhook. Search the log for the account’s ID.",
      );
    case "waiting":
      return wait(
        "A change is being processed",
        "Changes are collected for about a second before a webhook is created.",
      );
    case "unexplained":
      return bad(
        "A change has no webhook",
        "Others changed a calendar and a channel’s filters let the change through, but no webhook of it is stored. Report this with the account’s ID and the time.",
      );
    case "filtered":
      return off(
        "The channel’s filters exclude the change",
        `Others changed a calendar, but ${finding.by.map((by) => filterSentences[by]).join(", and ")}.`,
      );
    case "own_writes":
      return off(
        "The application made the changes itself",
        `${finding.count === 1 ? "One write" : `${formatCount(finding.count)} writes`} came through the API. An application isn’t notified of its own writes.`,
      );
    case "hosted":
      return off(
        "Hosted by Almanac",
        "Only the application changes these calendars, and it isn’t notified of its own writes.",
      );
    default:
      return off(
        "No change was seen",
        `Almanac saw no change by others between ${timeWords(timeline.from, zone)} and ${timeWords(timeline.to, zone)}. ${readingSentences({ timeline, zone })}`,
      );
  }
}

const filterSentences = {
  calendar_ids: "calendar_ids doesn’t include that calendar",
  only_managed: "only_managed excludes events that the application didn’t create",
};

type OfDeliveries = Extract<Finding, { delivery: string }>;

function ofDeliveries(finding: OfDeliveries, { timeline, zone }: Saying): FindingWords {
  const { kind, channel, count, failures, finishedAt, nextAttemptAt } = finding;
  const endpoint = endpointOf(channel, timeline);
  const at = (ms: number | null) => (ms === null ? "an unknown time" : timeWords(ms, zone));
  const others = count > 1 ? ` The newest of ${formatCount(count)} like it.` : "";
  const times = failures === 1 ? "once" : `${formatCount(failures)} times`;
  switch (kind) {
    case "failed":
      return bad(
        `${endpoint} failed ${times}`,
        `The last attempt ${resultWords(finding)}. Almanac gave up at ${at(finishedAt)}. The next webhook of the channel also covers this change.${others}`,
      );
    case "made_up":
      return off(
        `${endpoint} failed ${times} before`,
        `The last attempt ${resultWords(finding)}, and Almanac gave up at ${at(finishedAt)}. A later webhook, accepted at ${at(finding.deliveredAt)}, also covers this change.${others}`,
      );
    case "retrying":
      return wait(
        `${endpoint} failed ${times}`,
        `The last attempt ${resultWords(finding)}. ${nextAttemptAt === null ? "Further attempts are on hold." : `The next attempt is at ${at(nextAttemptAt)}.`}${others}`,
      );
    case "queued":
      return wait(
        "The webhook hasn’t been sent yet",
        `${nextAttemptAt === null ? "It is on hold" : `Its first attempt is due at ${at(nextAttemptAt)}`}: ${endpoint}.${others}`,
      );
    case "cancelled":
      return off(
        "The webhook was canceled",
        `It was canceled at ${at(finishedAt)}, by staff or because its channel was closed: ${endpoint}.${others}`,
      );
    default:
      return good(
        `${endpoint} accepted the webhook`,
        `It ${resultWords(finding)} at ${at(finishedAt)}.${count > 1 ? ` ${formatCount(count)} webhooks were accepted in this time.` : ""} The application can find it in its own log by the delivery’s ID.`,
      );
  }
}

function resultWords({ status, error }: Pick<OfDeliveries, "status" | "error">): string {
  if (status !== null) return `got a ${status} response`;
  return error === null ? "has no result" : `got no response (${errorWord(error)})`;
}

/** Says when the account's calendars were read and will be read next, on which "nothing was seen" depends. */
function readingSentences({ timeline, zone }: Saying): string {
  return timeline.profiles
    .filter(({ provider }) => provider !== "hosted")
    .map((profile) => {
      const read =
        profile.lastSyncAt === null ? "was never read" : `was last read at ${timeWords(profile.lastSyncAt, zone)}`;
      const noticed =
        profile.noticedAt === null ? "" : `, and last sent a notification at ${timeWords(profile.noticedAt, zone)}`;
      return `${profileWord(profile.id, timeline)} ${read}${noticed}.${nextSync(profile.id, { timeline, zone })}`;
    })
    .join(" ");
}

function nextSync(profile: string, { timeline, zone }: Saying): string {
  const at = timeline.profiles.find(({ id }) => id === profile)?.nextSyncAt ?? null;
  return at === null ? "" : ` Next sync at ${timeWords(at, zone)}.`;
}

function providerOf(profile: string, { profiles }: Timeline): string {
  return profiles.find(({ id }) => id === profile)?.providerLabel ?? "The provider";
}

/** Names a profile: "ada@acme.io (Google)". */
function profileWord(profile: string, { profiles }: Timeline): string {
  const found = profiles.find(({ id }) => id === profile);
  return found ? `${found.name} (${providerWord(found)})` : profile;
}

export function timeWords(ms: number, zone: string): string {
  return shortTime(new Date(ms).toISOString(), zone);
}

const worded = (tone: Tone) => (title: string, text: string) => ({ tone, title, text });
const [bad, wait, good, off] = (["bad", "wait", "good", "off"] as const).map(worded) as [
  ReturnType<typeof worded>,
  ReturnType<typeof worded>,
  ReturnType<typeof worded>,
  ReturnType<typeof worded>,
];
