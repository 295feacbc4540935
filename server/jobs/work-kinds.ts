import { db } from "@/server/db/client";
import type { Work } from "@/server/db/wake";
import type { Provider } from "@/server/domain/providers";
import { pushLoop, syncLoop } from "@/server/jobs/provider-work";
import { notifyLoop, replayLoop } from "@/server/jobs/signal-work";
import { connectorOf } from "@/server/providers/connectors";
import { nextReplayIn } from "@/server/services/staff/deliveries/replays/work";
import { notifyingSignals } from "@/server/store/channels/outbox";
import { isOpen } from "@/server/store/events/write-states";
import { nextProfileIn } from "@/server/sync/claim-profiles";
import { nextWriteIn } from "@/server/sync/claim-writes";
import { among, configured } from "@/server/sync/syncs";
import { overdueAuthorizations } from "@/server/webhooks/authorizations/claim.sql";
import { authorizationLoop, nextAuthorizationIn } from "@/server/webhooks/authorizations/loop";
import { nextAttemptIn } from "@/server/webhooks/claim";
import { deliveries } from "@/server/webhooks/dispatcher";
import { nextSignalIn } from "@/server/webhooks/fan-out";
import type { WorkLoop } from "@/server/work-loop";

export interface WorkKind {
  /** The Inngest event that says that work of a key is due. */
  event: string;
  /** What its keys are in the event. Null: there are none. */
  key: "application" | "provider" | null;
  /** Creates the loop over the rows, which asks to be woken for those that are due later. */
  open(): WorkLoop;
  /** Returns in how many milliseconds work of a key is due, with null work of any. Null: never. */
  nextIn(key: string | null): Promise<number | null>;
  /** SQL: rows that have been due since `t.since`. */
  overdue: string;
  /** The work that this kind creates for others. */
  makes?: Work;
}

/** Every kind of work that processes due rows, those that create work for others first. */
export const workKinds: Record<Work, WorkKind> = {
  notify: {
    event: "almanac/changes.due",
    key: null,
    open: notifyLoop,
    nextIn: () => nextSignalIn(db()),
    overdue: `SELECT FROM outbox WHERE due_at <= (SELECT since FROM t) AND ${notifyingSignals}`,
    makes: "deliver",
  },
  replay: {
    event: "almanac/bulk-retries.due",
    key: null,
    open: replayLoop,
    nextIn: () => nextReplayIn(db()),
    overdue: "SELECT FROM replays, t WHERE state = 'running' AND due_at <= t.since",
    makes: "deliver",
  },
  deliver: {
    event: "almanac/deliveries.due",
    key: "application",
    open: deliveries,
    nextIn: (application) => nextAttemptIn(db(), application),
    overdue: `SELECT FROM deliveries d WHERE state = 'pending' AND next_attempt_at <= (SELECT since FROM t)
  AND (SELECT p.disabled_at IS NULL FROM applications p WHERE p.id = d.application_id)`,
  },
  sync: {
    event: "almanac/mailboxes.due",
    key: "provider",
    open: syncLoop,
    nextIn: (provider) => nextProfileIn(db(), providersOf(provider)),
    // No EXISTS: PostgreSQL expects a third of the mailboxes to be due, and would read the table.
    overdue: `SELECT FROM unnest(enum_range(NULL::provider)) AS every(provider), (VALUES (false), (true)) AS lane(is_first), t
  CROSS JOIN LATERAL (SELECT FROM profile_syncs s WHERE s.provider = every.provider AND first_sync = lane.is_first AND readable
    AND sync_due_at <= (SELECT since FROM t) AND (throttled_until IS NULL OR throttled_until <= t.since) ORDER BY sync_due_at LIMIT 1) one
  WHERE NOT EXISTS (SELECT FROM provider_pauses q WHERE q.provider = every.provider AND q.until > t.since)`,
  },
  push: {
    event: "almanac/writes.due",
    key: "provider",
    open: pushLoop,
    nextIn: (provider) => nextWriteIn(db(), providersOf(provider)),
    overdue: `SELECT FROM provider_writes w WHERE ${isOpen("w")} AND due_at <= (SELECT since FROM t)`,
  },
  authorize: {
    event: "almanac/authorizations.due",
    key: null,
    open: authorizationLoop,
    nextIn: nextAuthorizationIn,
    overdue: overdueAuthorizations,
    makes: "sync",
  },
};

function providersOf(key: string | null): Provider[] {
  return among(configured(connectorOf), key === null ? null : [key]);
}

const loops = new Map<Work, WorkLoop>();

/** Returns the loop of a kind in this process, and opens it when it is first needed. One that was stopped stays so. */
export function loopOf(kind: Work): WorkLoop {
  const loop = loops.get(kind) ?? workKinds[kind].open();
  loops.set(kind, loop);
  return loop;
}

/** Forgets the loops, so that the next ones are opened as the process is configured then. */
export function forgetLoops(): void {
  loops.clear();
}

export const works = Object.keys(workKinds) as Work[];
