import type { Work } from "@/server/db/wake";
import { pushing, syncing } from "@/server/jobs/provider-work";
import { notifying, replaying } from "@/server/jobs/signal-work";
import { notifyingSignals } from "@/server/store/channels/outbox";
import { isOpen } from "@/server/store/events/write-states";
import { deliveries } from "@/server/webhooks/dispatcher";
import type { WorkLoop } from "@/server/work-loop";

export interface WorkKind {
  /** As Inngest's pages show the function. */
  title: string;
  /** Drains the rows that are due, and asks to be woken for those that are due later. */
  loop(): WorkLoop;
  /** SQL: rows that have been due since `t.since`. */
  overdue: string;
  /** The work that it makes. */
  makes?: Work;
}

/**
 * Every kind of work that drains rows, those that make work for others first. The Inngest functions, the wake-ups and the sweep are made from
 * this table.
 */
export const workKinds: Record<Work, WorkKind> = {
  notify: {
    title: "Turn signals into deliveries",
    loop: notifying,
    overdue: `SELECT FROM outbox, t WHERE due_at <= t.since AND ${notifyingSignals}`,
    makes: "deliver",
  },
  replay: {
    title: "Send deliveries again",
    loop: replaying,
    overdue: "SELECT FROM replays, t WHERE state = 'running' AND due_at <= t.since",
    makes: "deliver",
  },
  deliver: {
    title: "Deliver notifications",
    loop: deliveries,
    overdue: `SELECT FROM deliveries d, t WHERE state = 'pending' AND next_attempt_at <= t.since
  AND (SELECT p.disabled_at IS NULL FROM applications p WHERE p.id = d.application_id)`,
  },
  sync: {
    title: "Read from providers",
    loop: syncing,
    overdue: `SELECT FROM unnest(enum_range(NULL::provider)) AS every(provider), (VALUES (false), (true)) AS lane(is_first), t
  WHERE NOT EXISTS (SELECT FROM provider_pauses q WHERE q.provider = every.provider AND q.until > t.since)
  AND EXISTS (SELECT FROM profile_syncs s WHERE s.provider = every.provider AND first_sync = lane.is_first AND readable AND sync_due_at <= t.since
    AND (throttled_until IS NULL OR throttled_until <= t.since))`,
  },
  push: {
    title: "Write to providers",
    loop: pushing,
    overdue: `SELECT FROM provider_writes w, t WHERE ${isOpen("w")} AND due_at <= t.since`,
  },
};

export const works = Object.keys(workKinds) as Work[];
