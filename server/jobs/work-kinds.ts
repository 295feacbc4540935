import type { Work } from "@/server/db/wake";
import { pushLoop, syncLoop } from "@/server/jobs/provider-work";
import { notifyLoop, replayLoop } from "@/server/jobs/signal-work";
import { notifyingSignals } from "@/server/store/channels/outbox";
import { isOpen } from "@/server/store/events/write-states";
import { deliveries } from "@/server/webhooks/dispatcher";
import type { WorkLoop } from "@/server/work-loop";

export interface WorkKind {
  /** The function's name on Inngest's pages. */
  title: string;
  /** Drains the rows that are due, and asks to be woken for those that are due later. */
  open(): WorkLoop;
  /** SQL: rows that have been due since `t.since`. */
  overdue: string;
  /** The work that this kind creates for others. */
  makes?: Work;
}

/**
 * Every kind of work that processes due rows, those that create work for others first. The Inngest functions, the
 * wake-ups and the sweep are generated from this table.
 */
export const workKinds: Record<Work, WorkKind> = {
  notify: {
    title: "Turn signals into deliveries",
    open: notifyLoop,
    overdue: `SELECT FROM outbox, t WHERE due_at <= t.since AND ${notifyingSignals}`,
    makes: "deliver",
  },
  replay: {
    title: "Send deliveries again",
    open: replayLoop,
    overdue: "SELECT FROM replays, t WHERE state = 'running' AND due_at <= t.since",
    makes: "deliver",
  },
  deliver: {
    title: "Deliver notifications",
    open: deliveries,
    overdue: `SELECT FROM deliveries d, t WHERE state = 'pending' AND next_attempt_at <= t.since
  AND (SELECT p.disabled_at IS NULL FROM applications p WHERE p.id = d.application_id)`,
  },
  sync: {
    title: "Read from providers",
    open: syncLoop,
    overdue: `SELECT FROM unnest(enum_range(NULL::provider)) AS every(provider), (VALUES (false), (true)) AS lane(is_first), t
  WHERE NOT EXISTS (SELECT FROM provider_pauses q WHERE q.provider = every.provider AND q.until > t.since)
  AND EXISTS (SELECT FROM profile_syncs s WHERE s.provider = every.provider AND first_sync = lane.is_first AND readable AND sync_due_at <= t.since
    AND (throttled_until IS NULL OR throttled_until <= t.since))`,
  },
  push: {
    title: "Write to providers",
    open: pushLoop,
    overdue: `SELECT FROM provider_writes w, t WHERE ${isOpen("w")} AND due_at <= t.since`,
  },
};

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
