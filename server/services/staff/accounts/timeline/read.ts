import { z } from "zod";
import type { Database, Query } from "@/server/db/client";
import { runComposed } from "@/server/db/composed";
import { run } from "@/server/db/statement";
import { endpointOf } from "@/server/domain/channels/endpoint";
import type { ChannelFacts, DeliveryFacts, TimelineFacts } from "@/server/domain/timeline/facts";
import { findings } from "@/server/domain/timeline/findings";
import { timelineSteps } from "@/server/domain/timeline/steps";
import { providerName } from "@/server/domain/wire-names";
import { env } from "@/server/env";
import { providerLabel } from "@/server/providers/offered";
import { text, time } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { accountPage } from "@/server/services/staff/accounts/accounts.sql";
import { accountRow } from "@/server/services/staff/accounts/list";
import type {
  CalendarReading,
  LoggedWrite,
  Timeline,
  TimelineChannel,
  TimelineProfile,
} from "@/server/services/staff/accounts/timeline/shapes";
import {
  calendarReadings,
  MOST_OF_CHANNEL,
  MOST_SHOWN,
  type StoredCalendarReading,
  type StoredTimelineChannel,
  type StoredTimelineDelivery,
  type StoredTimelineProfile,
  timelineChannels,
  timelineDeliveries,
  timelineHead,
  timelineProfiles,
  timelineWrites,
} from "@/server/services/staff/accounts/timeline/timeline.sql";
import { whyRefused } from "@/server/services/staff/accounts/timeline/why-refused";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { CLOCKS_APART_MS } from "@/server/store/deliveries/days";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long before and after the time related deliveries are searched for. */
const RELATED_MS = 72 * HOUR_MS;

/** The choices of how many minutes before and after the time are shown. */
const spans = ["5", "30", "120", "720"] as const;

const input = z.object({
  id: text({ min: 1, max: 100 }),
  /** Omitted: now. */
  around: time.optional(),
  minutes: z.enum(spans).default("30"),
});

/** Reads what happened to an account around a time, and why its application was notified or not. Throws not_found. */
export const readTimeline = scopedProcedure
  .input(staffInput(input))
  .query(async ({ ctx, input: { id, around, minutes } }): Promise<Timeline> => {
    await ctx.scope.expect("account", id);
    const { query } = ctx.db;
    const span = Number(minutes) * MINUTE_MS;
    const middle = around ? Math.min(Math.floor(around.micros / 1_000), ctx.now) : ctx.now;
    // The database's clock, which times changes, may be ahead.
    const [from, to] = [middle - span, Math.min(middle + span, ctx.now + MINUTE_MS)];
    const [row] = await runComposed(query, accountPage, { id, limit: 1 });
    const [head] = await run(query, timelineHead, [id]);
    if (!row || !head) throw new Refusal({ kind: "not_found" });
    const parts = await readParts(ctx.db, { id, from: new Date(from), to: new Date(to) });
    const facts = { ...factsOf(parts), ...timesOf(head), waiting: head.waiting, setAside: head.setAside };
    const all = { ...facts, now: ctx.now, from, to };
    return {
      account: accountRow(row),
      from,
      to,
      findings: findings(all),
      steps: timelineSteps(all),
      isCut: parts.isCut,
      profiles: parts.profiles.map(profileShown),
      calendars: parts.calendars.map(calendarShown),
      channels: parts.channels.map(channelShown),
    };
  });

interface AccountPeriod {
  id: string;
  from: Date;
  to: Date;
}

async function readParts(db: Database, { id, from, to }: AccountPeriod) {
  const { query } = db;
  const [profiles, calendars, channels, changes, writes] = await Promise.all([
    run(query, timelineProfiles, [id]),
    run(query, calendarReadings, [id]),
    run(query, timelineChannels, [id]),
    readChanges(db, { id, from, to }),
    run(query, timelineWrites, [id, from, to]),
  ]);
  const ids = channels.map((channel) => channel.id);
  const deliveries = await readDeliveries(query, ids, { from, to });
  const within = deliveries.filter(({ createdAt }) => createdAt >= from && createdAt <= to);
  const isFull = ids.some((each) => within.filter(({ channelId }) => channelId === each).length >= MOST_OF_CHANNEL);
  return {
    ...{ profiles, calendars, channels, deliveries },
    changes: changes.slice(0, MOST_SHOWN),
    writes: writes.slice(0, MOST_SHOWN),
    isCut: changes.length > MOST_SHOWN || writes.length > MOST_SHOWN || isFull,
  };
}

/** Reads the deliveries of channels in a time, and those around it that may announce a change in it. */
export async function readDeliveries(
  query: Query,
  channels: readonly string[],
  { from, to }: Pick<AccountPeriod, "from" | "to">,
) {
  if (channels.length === 0) return [];
  const first = new Date(from.getTime() - RELATED_MS);
  const last = new Date(to.getTime() + RELATED_MS);
  const attemptedFrom = new Date(first.getTime() - CLOCKS_APART_MS);
  return await run(query, timelineDeliveries, [channels, from, to, first, last, attemptedFrom]);
}

/** Reads one more than are shown. Each row is of the minute of its changes. */
function readChanges({ prisma }: Database, { id, from, to }: AccountPeriod) {
  return prisma.seenChange.findMany({
    select: { calendarId: true, managed: true, firstAt: true, lastAt: true },
    where: {
      ...{ accountId: id, minute: { gt: new Date(from.getTime() - MINUTE_MS), lte: to } },
      ...{ lastAt: { gte: from }, firstAt: { lte: to } },
    },
    orderBy: [{ firstAt: "asc" }, { calendarId: "asc" }, { managed: "asc" }],
    take: MOST_SHOWN + 1,
  });
}

type Parts = Awaited<ReturnType<typeof readParts>>;
type Facts = Pick<TimelineFacts, "profiles" | "channels" | "changes" | "deliveries"> & { writes: LoggedWrite[] };

function factsOf({ profiles, channels, changes, deliveries, writes }: Parts): Facts {
  return {
    profiles: profiles.map(({ provider, disconnectedAt, throttledUntil, ...rest }) => ({
      ...{ id: rest.id, connected: rest.connected, isFirstSync: rest.isFirstSync },
      ...{ syncFailures: rest.syncFailures, syncError: rest.syncError },
      ...{ provider: providerName("product", provider), isHosted: provider === "hosted" },
      ...{ disconnectedAt: ms(disconnectedAt), throttledUntil: ms(throttledUntil) },
    })),
    channels: channels.map(channelFacts),
    changes: changes.map(({ firstAt, lastAt, ...change }) => ({
      ...change,
      ...{ firstAt: firstAt.getTime(), lastAt: lastAt.getTime() },
    })),
    deliveries: deliveries.map(deliveryFacts),
    writes: writes.map(({ at, endpoint, response, errorKeys, ...write }) => ({
      ...write,
      reason: write.status < 400 ? null : whyRefused(response, errorKeys),
      ...{ at: at.getTime(), isSandbox: endpoint === "/v1/sandbox/changes" },
    })),
  };
}

export function channelFacts(row: StoredTimelineChannel): ChannelFacts {
  const { id, calendarIds, onlyManaged, createdAt, pausedAt, closedAt, closedBy } = row;
  return {
    ...{ id, calendarIds, onlyManaged, closedBy },
    ...{ openedAt: createdAt.getTime(), pausedAt: ms(pausedAt), closedAt: ms(closedAt) },
  };
}

export function deliveryFacts({ attempts, ...row }: StoredTimelineDelivery): DeliveryFacts {
  const { changesSince, createdAt, finishedAt, nextAttemptAt, ...rest } = row;
  return {
    ...rest,
    changesSince: ms(changesSince),
    createdAt: createdAt.getTime(),
    finishedAt: ms(finishedAt),
    nextAttemptAt: ms(nextAttemptAt),
    attempts: attempts.map((attempt) => ({ ...attempt, startedAt: Date.parse(attempt.startedAt) })),
  };
}

function timesOf(head: Record<"revokedAt" | "disabledAt", Date | null>) {
  return { revokedAt: ms(head.revokedAt), disabledAt: ms(head.disabledAt) };
}

function profileShown(row: StoredTimelineProfile): TimelineProfile {
  const { id, provider, name, server, connected, disconnectedAt, lastSyncAt, syncDueAt, noticedAt } = row;
  const { watchEndsAt, watchRefusedFor } = row;
  return {
    ...{ id, name, connected, provider: providerName("product", provider) },
    providerLabel: providerLabel(provider, server),
    ...{ disconnectedAt: ms(disconnectedAt), lastSyncAt: ms(lastSyncAt), nextSyncAt: connected ? ms(syncDueAt) : null },
    ...{
      noticedAt: ms(noticedAt),
      watchEndsAt: ms(watchEndsAt),
      watchRefusedFor,
      pollSeconds: pollSecondsOf(provider),
    },
  };
}

function pollSecondsOf(provider: StoredTimelineProfile["provider"]): TimelineProfile["pollSeconds"] {
  if (provider === "hosted" || provider === "feed") return null;
  const { SYNC_POLL_SECONDS: least, SYNC_QUIET_POLL_SECONDS: quiet } = env();
  return { least, most: Math.max(least, quiet) };
}

export function calendarShown(row: StoredCalendarReading): CalendarReading {
  const { readAt, noticedAt, watchEndsAt, ...rest } = row;
  return { ...rest, readAt: ms(readAt), noticedAt: ms(noticedAt), watchEndsAt: ms(watchEndsAt) };
}

function channelShown({
  callbackUrl,
  createdAt,
  pausedAt,
  closedAt,
  onlyManaged,
  ...rest
}: StoredTimelineChannel): TimelineChannel {
  return {
    ...rest,
    endpoint: endpointOf(callbackUrl),
    onlyManaged: onlyManaged === true,
    openedAt: createdAt.getTime(),
    pausedAt: ms(pausedAt),
    closedAt: ms(closedAt),
  };
}

const ms = (at: Date | null) => (at === null ? null : at.getTime());
