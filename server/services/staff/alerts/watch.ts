import type { Database, Query } from "@/server/db/client";
import type { Alert } from "@/server/db/generated/client";
import { locks } from "@/server/db/locks";
import { newId } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import {
  type AlertKind,
  alertWays,
  type Decision,
  decide,
  type Facts,
  type KnownAlert,
  QUIET_MINUTES,
} from "@/server/domain/alerts/alerts";
import type { Instant } from "@/server/domain/time/instant";
import {
  activeRules,
  forgetAlerts,
  insertMessages,
  type StoredRule,
  storeAlerts,
} from "@/server/services/staff/alerts/alerts.sql";
import { conditionsOf } from "@/server/services/staff/alerts/conditions";
import { type AlertBody, MOST_NAMED } from "@/server/services/staff/alerts/message";

const MINUTE_MS = 60_000;
/** The longest quiet time: until then the last message of an alert matters. */
const FORGOTTEN_AFTER_MS = QUIET_MINUTES.most * MINUTE_MS;

/**
 * Records new problems and those that are over, and writes the messages about them, in one transaction at a time over
 * all processes, so that each is written once (ADR 68). Returns how many messages.
 */
export async function watchAlerts(db: Database, now: Instant): Promise<number> {
  return await db.transaction(async (query, prisma) => {
    const rules = await run(query, activeRules, []);
    await run(query, forgetAlerts, [new Date(now - FORGOTTEN_AFTER_MS)]);
    if (rules.length === 0) return 0;
    const known = (await prisma.alert.findMany()).map(knownAlertOf);
    const decided = await decisions(query, { rules, known, now });
    const alerts = decided.flatMap(({ rule, decision }) => decision.alerts.map((one) => rowOf(rule, one)));
    const messages = decided.flatMap(({ rule, decision }) => messagesOf(rule, decision));
    if (alerts.length > 0) await run(query, storeAlerts, [JSON.stringify(alerts)]);
    if (messages.length > 0) await run(query, insertMessages, [JSON.stringify(messages), new Date(now)]);
    return messages.length;
  }, locks.alerts);
}

interface WatchInput {
  rules: readonly StoredRule[];
  known: readonly (KnownAlert & Pick<StoredRule, "scope" | "kind">)[];
  now: number;
}

async function decisions(query: Query, { rules, known, now }: WatchInput) {
  const decided: { rule: StoredRule; decision: Decision }[] = [];
  for (const kind of new Set(rules.map((rule) => rule.kind))) {
    const conditionsIn = await conditionsOf[kind](query, now);
    for (const rule of rules.filter((one) => one.kind === kind)) {
      const input = {
        conditions: conditionsIn(rule),
        known: known.filter((one) => one.scope === rule.scope && one.kind === kind),
        quietMs: rule.quietMinutes * MINUTE_MS,
      };
      decided.push({ rule, decision: decide({ ...input, now }) });
    }
  }
  return decided;
}

function knownAlertOf({ kind, facts, since, notifiedAt, endedAt, ...rest }: Alert) {
  return {
    ...rest,
    kind: kind as AlertKind,
    facts: facts as unknown as Facts,
    since: since.getTime(),
    notifiedAt: notifiedAt?.getTime() ?? null,
    endedAt: endedAt?.getTime() ?? null,
  };
}

function rowOf({ scope, kind }: StoredRule, { subject, facts, since, notifiedAt, announced, endedAt }: KnownAlert) {
  const times = { since: iso(since), notified_at: iso(notifiedAt), ended_at: iso(endedAt) };
  return { scope, kind, subject, facts, announced, ...times };
}

function iso(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

function messagesOf(rule: StoredRule, { news }: Decision) {
  const states = ["began", "ongoing", "resolved"] as const;
  return states.flatMap((state) => {
    const some = news[state];
    if (some.length === 0) return [];
    const items = some.slice(0, MOST_NAMED).map(({ facts, since }) => ({ facts, since }));
    const body: AlertBody = { kind: rule.kind, state, count: some.length, items };
    return alertWays.filter((way) => rule[way]).map((way) => ({ id: newId("alm"), scope: rule.scope, way, body }));
  });
}
