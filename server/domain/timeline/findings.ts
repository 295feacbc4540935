import type { DeliveryFacts, ProfileFacts, TimelineFacts } from "@/server/domain/timeline/facts";
import { outcomeIn } from "@/server/domain/timeline/steps";

/** Why a notification arrived, or none did. Times are milliseconds since 1970. */
export type Finding =
  | { kind: "revoked"; at: number }
  | { kind: "disabled"; at: number }
  | { kind: "no_channel" }
  | { kind: "not_opened"; at: number }
  | { kind: "channels_closed"; at: number; by: string | null }
  /** Staff have paused the channel's deliveries. */
  | { kind: "paused"; channel: string; at: number }
  | { kind: "disconnected"; profile: string; at: number | null }
  /** Changes of a first sync are not notified one by one. */
  | { kind: "first_sync"; profile: string }
  | { kind: "throttled"; profile: string; until: number }
  | { kind: "sync_failing"; profile: string; failures: number; error: string }
  | ({ kind: "failed" | "cancelled" | "retrying" | "queued" | "delivered" } & OfDeliveries)
  /** They failed, and a later one that was delivered reaches back to their changes. */
  | ({ kind: "made_up"; deliveredAt: number | null } & OfDeliveries)
  | { kind: "set_aside" }
  | { kind: "waiting" }
  | { kind: "unexplained" }
  | { kind: "filtered"; by: ("calendar_ids" | "only_managed")[] }
  | { kind: "own_writes"; count: number }
  /** All of its calendars are hosted here: only the application changes them. */
  | { kind: "hosted" }
  | { kind: "no_change" };

interface OfDeliveries {
  channel: string;
  /** How many of the channel's deliveries are affected. */
  count: number;
  /** The newest of them. */
  delivery: string;
  /** How many of its attempts failed. */
  failures: number;
  /** The status of its last attempt. */
  status: number | null;
  error: string | null;
  nextAttemptAt: number | null;
  finishedAt: number | null;
}

/**
 * Explains why an application was notified of what happened at a time, or was not: first what stops everything, then
 * what became of changes, then what hides changes. Returns at least one.
 */
export function findings(facts: TimelineFacts): Finding[] {
  const stopped = whatStops(facts);
  const changes = ofChanges(facts);
  const unseen = facts.profiles.flatMap((profile) => unread(profile, facts));
  const all = [...stopped, ...paused(facts), ...changes, ...unseen];
  // The application was notified, or the reason why not is known: that nothing else was seen explains nothing.
  const isAnswered = stopped.length > 0 || changes.length > 0;
  return isAnswered ? all : [...all, ...nothingSeen(facts)];
}

function whatStops({ from, to, revokedAt, disabledAt, channels, profiles }: TimelineFacts): Finding[] {
  const found: Finding[] = [];
  if (revokedAt !== null && revokedAt <= to) found.push({ kind: "revoked", at: revokedAt });
  if (disabledAt !== null && disabledAt <= to) found.push({ kind: "disabled", at: disabledAt });
  const closed = channels.filter(({ closedAt }) => closedAt !== null && closedAt <= from);
  const isOpen = channels.some(({ openedAt, closedAt }) => openedAt <= to && (closedAt === null || closedAt > from));
  if (channels.length === 0) found.push({ kind: "no_channel" });
  else if (!isOpen && closed.length === 0)
    found.push({ kind: "not_opened", at: Math.min(...channels.map(({ openedAt }) => openedAt)) });
  else if (!isOpen) {
    const [last] = closed.sort((one, other) => (other.closedAt ?? 0) - (one.closedAt ?? 0));
    if (last && revokedAt === null) found.push({ kind: "channels_closed", at: last.closedAt ?? 0, by: last.closedBy });
  }
  const cut = profiles.filter(({ connected, disconnectedAt }) => !connected && (disconnectedAt ?? 0) <= to);
  if (profiles.length > 0 && cut.length === profiles.length) found.push(...cut.map(disconnected));
  return found;
}

function paused({ to, channels }: TimelineFacts): Finding[] {
  return channels.flatMap(({ id, pausedAt, closedAt }) =>
    pausedAt !== null && pausedAt <= to && closedAt === null ? [{ kind: "paused", channel: id, at: pausedAt }] : [],
  );
}

const disconnected = ({ id, disconnectedAt }: ProfileFacts): Finding => ({
  kind: "disconnected",
  profile: id,
  at: disconnectedAt,
});

const rankOf = { failed: 0, retrying: 1, queued: 2, cancelled: 3, delivered: 4, made_up: 5 };

function ofChanges(facts: TimelineFacts): Finding[] {
  const { changes, channels, deliveries, setAside, from, to } = facts;
  const outcomes = changes.flatMap((change) => channels.map((channel) => outcomeIn(facts, channel, change)));
  const announced = new Set(outcomes.flatMap((one) => (one.kind === "notified" ? one.deliveries : [])));
  const waitedFor = new Set(outcomes.flatMap((one) => (one.kind === "waits_for" ? [one.delivery] : [])));
  const ofTime = deliveries.filter(
    (one) =>
      announced.has(one.id) || waitedFor.has(one.id) || (isChange(one) && one.createdAt >= from && one.createdAt <= to),
  );
  const makingUp = new Set(ofTime.map((one) => madeUpBy(one, deliveries)?.id));
  const relevant = deliveries.filter((one) => ofTime.includes(one) || makingUp.has(one.id));
  const found = byState(relevant, deliveries).sort((one, other) => rankOf[one.kind] - rankOf[other.kind]);
  const has = (kind: string) => outcomes.some((one) => one.kind === kind);
  const filters = [...new Set(outcomes.flatMap((one) => (one.kind === "filtered" ? [one.by] : [])))].sort();
  const isNotified = relevant.length > 0;
  return [
    ...found.filter(({ kind }) => rankOf[kind] < rankOf.delivered),
    ...(setAside > 0 ? [{ kind: "set_aside" as const }] : []),
    ...(has("waiting") ? [{ kind: "waiting" as const }] : []),
    ...(has("unexplained") ? [{ kind: "unexplained" as const }] : []),
    ...found.filter(({ kind }) => rankOf[kind] >= rankOf.delivered),
    ...(filters.length > 0 && !isNotified ? [{ kind: "filtered" as const, by: filters }] : []),
  ];
}

type Ended = Finding & { kind: keyof typeof rankOf };

function byState(some: readonly DeliveryFacts[], all: readonly DeliveryFacts[]): Ended[] {
  const groups = new Map<string, DeliveryFacts[]>();
  for (const one of some) {
    const key = `${one.channelId} ${stateOf(one, all)}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) => {
    const newest = group.at(-1);
    if (!newest) return [];
    const last = newest.attempts.at(-1);
    const kind = stateOf(newest, all);
    return [
      {
        ...(kind === "made_up" ? { kind, deliveredAt: madeUpBy(newest, all)?.finishedAt ?? null } : { kind }),
        channel: newest.channelId,
        count: group.length,
        delivery: newest.id,
        failures: newest.attempts.filter(({ status }) => !isSuccess(status)).length,
        status: last?.status ?? null,
        error: last?.error ?? null,
        nextAttemptAt: newest.nextAttemptAt,
        finishedAt: newest.finishedAt,
      },
    ];
  });
}

function stateOf(one: DeliveryFacts, all: readonly DeliveryFacts[]): Ended["kind"] {
  if (madeUpBy(one, all)) return "made_up";
  if (one.state !== "pending") return one.state;
  return one.attempts.length === 0 ? "queued" : "retrying";
}

/** Finds the first notification that was delivered after a failed one and reaches back to its changes (ADR 12). */
function madeUpBy({ state, channelId, changesSince, createdAt }: DeliveryFacts, all: readonly DeliveryFacts[]) {
  if (state !== "failed" || changesSince === null) return undefined;
  return all.find(
    (one) =>
      one.channelId === channelId &&
      one.state === "delivered" &&
      isChange(one) &&
      one.createdAt >= createdAt &&
      (one.changesSince ?? Number.POSITIVE_INFINITY) <= changesSince,
  );
}

const isChange = ({ type, test }: DeliveryFacts) => type === "change" && !test;

const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300;

function unread(profile: ProfileFacts, { now, to, profiles }: TimelineFacts): Finding[] {
  const { id, connected, disconnectedAt, isFirstSync, syncFailures, syncError, throttledUntil } = profile;
  if (!connected) {
    const isOnly = profiles.every((one) => !one.connected && (one.disconnectedAt ?? 0) <= to);
    return isOnly || (disconnectedAt ?? 0) > to ? [] : [disconnected(profile)];
  }
  if (throttledUntil !== null && throttledUntil > now)
    return [{ kind: "throttled", profile: id, until: throttledUntil }];
  if (syncError !== null) return [{ kind: "sync_failing", profile: id, failures: syncFailures, error: syncError }];
  return isFirstSync ? [{ kind: "first_sync", profile: id }] : [];
}

function nothingSeen({ writes, profiles }: TimelineFacts): Finding[] {
  const own = writes.filter(({ isSandbox, status }) => !isSandbox && status < 300).length;
  const isHosted = profiles.length > 0 && profiles.every((profile) => profile.isHosted);
  return [
    ...(own > 0 ? [{ kind: "own_writes" as const, count: own }] : []),
    ...(isHosted && own === 0 ? [{ kind: "hosted" as const }] : []),
    ...(isHosted ? [] : [{ kind: "no_change" as const }]),
  ];
}
