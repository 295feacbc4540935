import { setTimeout as wait } from "node:timers/promises";
import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run, runOne } from "@/server/db/statement";
import { awaitRoundTrip, type DueWork, dueWork, giveUpLead, type Lead, takeLead } from "@/server/jobs/announcing.sql";
import type { InngestServer } from "@/server/jobs/background";
import { keepChores } from "@/server/jobs/chore-state.sql";
import { AWAY_AFTER_S, ROUND_TRIP, roundTripEvent } from "@/server/jobs/functions/round-trip";
import { FIRST_SYNC_EVENT } from "@/server/jobs/functions/sync-mailbox";
import type { JobEvent } from "@/server/jobs/job-function";
import { noteRoundTrip } from "@/server/jobs/round-trips";
import { workKinds } from "@/server/jobs/work-kinds";
import { moduleOutage, type OutageLog } from "@/server/log";
import { connectorOf } from "@/server/providers/connectors";
import { configured } from "@/server/sync/syncs";

const LOOK_MS = 1_000;
/** After a wake-up, and so long after the last look. */
const SOON_MS = 250;
/** The row of the process that announces. */
const LEAD = "announcer";
/** Another process takes over after this time. */
const LEAD_S = 4;
/** A run is asked for while work is announced, or when nothing was for so long. */
const ASK_AFTER_S = 5;
const ASK_AT_LEAST_S = 600;
/** Work that stays due for so long may be ignored. */
const IGNORED_AFTER_MS = 20_000;
const IGNORED_AGAIN_MS = 60_000;
/** Keys that are remembered. Forgetting them costs an event each. */
const MOST_REMEMBERED = 10_000;
/** The most events of one request, and how long it may take. */
const MOST_EVENTS = 500;
const SEND_MS = 5_000;
/** How long an event stands for its key, at first, and when the key has been due since long: it has a run, as a rule. */
const REPEAT_MS = 1_000;
const LONGEST_REPEAT_MS = 4_000;

/** Tells an Inngest server what is due. */
export interface Announcer {
  /** Looks soon: work may have become due. */
  look(): void;
  /** Runs do not come back, so this process does the work by its own engine. */
  isAway(): boolean;
  end(): Promise<void>;
}

export interface AnnouncerEvents {
  /** Called at each look while the server is away: it accepts nothing, or a run that only has to come back does not. */
  onAway(isNews: boolean): void;
  /** Called when runs come back again. */
  onBack(): void;
  /** Called now and then while work stays due that is announced: the server may not know its function. */
  onIgnored(): void;
}

interface Asking {
  isFirst: boolean;
  isAnnouncing: boolean;
}

/**
 * Sends an event for each key whose work is due, at most one a second, from one process at a time. An event that is lost
 * or skipped is sent again while the work is due (ADR 60).
 */
export function startAnnouncer(server: InngestServer, { onAway, onBack, onIgnored }: AnnouncerEvents): Announcer {
  const announced = new Map<string, { at: number; forMs: number; since: number }>();
  const looks = moduleOutage("jobs", {
    down: "due work cannot be looked for, so it is not announced to Inngest",
    up: "due work is announced again",
  });
  const sends = moduleOutage("jobs", {
    down: "events cannot be sent to Inngest",
    up: "events are sent to Inngest again",
  });
  let until: string | null = null;
  let isAway = false;
  let hasLooked = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  let sending: Promise<void> | undefined;
  let looking: Promise<void> | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let isAsked = false;
  let saidAt = Number.NEGATIVE_INFINITY;
  let isOver = false;

  const lookOnce = async () => {
    if (!hasLooked) await run(db().query, keepChores, [[LEAD, ROUND_TRIP]]);
    const lead = await runOne(db().query, takeLead, [databaseTime(), LEAD_S, until, LEAD, ROUND_TRIP]);
    const wasAway = isAway;
    ({ until, isAway } = lead);
    const isFirst = !hasLooked;
    hasLooked = true;
    if (!isFirst) noteRoundTrip(lead);
    if (isAway) onAway(!wasAway);
    else if (wasAway) onBack();
    if (until === null) return;
    const due = isAway ? [] : await run(db().query, dueWork, [databaseTime(), configured(connectorOf)]);
    const events = due.filter(isNew).map((one) => eventOf(one, lead.now));
    if (await asks(lead, { isFirst, isAnnouncing: events.length > 0 }))
      void send(server, [roundTripEvent(lead.now)], sends);
    if (events.length > 0) sending ??= send(server, events, sends).finally(() => (sending = undefined));
  };

  const isNew = (one: DueWork): boolean => {
    const now = clock().monotonic();
    const id = idOf(one);
    const last = announced.get(id);
    if (last && now - last.at < last.forMs) return false;
    const isDueSince = last !== undefined && now - last.at < last.forMs + 2 * LOOK_MS;
    const since = isDueSince ? last.since : now;
    announced.set(id, { at: now, forMs: isDueSince ? Math.min(2 * last.forMs, LONGEST_REPEAT_MS) : REPEAT_MS, since });
    if (now - since > IGNORED_AFTER_MS && now - saidAt > IGNORED_AGAIN_MS) {
      saidAt = now;
      onIgnored();
    }
    if (announced.size > MOST_REMEMBERED) announced.clear();
    return true;
  };

  /** Decides whether a run is to be asked for, and notes when it has to be back. */
  const asks = async ({ isAwaited, silentS }: Lead, { isFirst, isAnnouncing }: Asking): Promise<boolean> => {
    const isDue = isFirst || silentS > (isAnnouncing ? ASK_AFTER_S : ASK_AT_LEAST_S);
    if (!isAwaited && !isDue) return false;
    if (clock().monotonic() - askedAt < ASK_AFTER_S * 1_000) return false;
    askedAt = clock().monotonic();
    await run(db().query, awaitRoundTrip, [databaseTime(), ROUND_TRIP, AWAY_AFTER_S]);
    return true;
  };

  const later = (ms: number) => {
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(begin, ms).unref();
  };
  const begin = () => {
    isAsked = false;
    looking = lookOnce()
      .then(() => looks.recovered(), looks.failed)
      .finally(() => {
        looking = undefined;
        lookedAt = clock().monotonic();
        later(isAsked ? SOON_MS : LOOK_MS);
      });
  };
  const look = () => {
    isAsked = true;
    if (!looking) later(Math.max(0, lookedAt + SOON_MS - clock().monotonic()));
  };
  look();
  return {
    look,
    isAway: () => isAway,
    async end() {
      isOver = true;
      clearTimeout(timer);
      await looking;
      if (until !== null) await run(db().query, giveUpLead, [databaseTime(), LEAD, until]).catch(() => undefined); // it ends by itself
    },
  };
}

async function send({ client }: InngestServer, events: readonly JobEvent[], outage: OutageLog): Promise<void> {
  for (let from = 0; from < events.length; from += MOST_EVENTS) {
    const some = events.slice(from, from + MOST_EVENTS).map((event) => ({ ...event, data: { ...event.data } }));
    const sent = client.send(some).then(() => outage.recovered(), outage.failed);
    await Promise.race([sent, wait(SEND_MS, undefined, { ref: false })]);
  }
}

function idOf({ work, key, lane }: DueWork): string {
  return lane === null ? `${work}-${key}` : `${work}-${key}-${lane}`;
}

/** Creates the event of due work. Those of one key within a second of the database have the same id, and begin one run. */
function eventOf(one: DueWork, now: number): JobEvent {
  const { work, key, lane, provider } = one;
  const id = `${idOf(one)}-${Math.floor(now)}`;
  if (work === "first") return { id, name: FIRST_SYNC_EVENT, data: { profile: key, provider } };
  const { event, key: field } = workKinds[work];
  if (field === null) return { id, name: event, data: {} };
  return { id, name: event, data: lane === null ? { [field]: key } : { [field]: key, lane: `${key}_${lane}` } };
}
