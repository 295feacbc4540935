import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { newId } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import { hostOf } from "@/server/domain/channels/endpoint";
import { triggerNotificationBody } from "@/server/domain/channels/notification";
import type { SignalRow } from "@/server/webhooks/fan-out.sql";
import { type FiredRow, fire, lookAgain } from "@/server/webhooks/firing.sql";
import type { NewDelivery } from "@/server/webhooks/new-delivery";

/** Fires the triggers whose signals are due, and has them look again later. Returns the deliveries that follow. */
export async function fireTriggers(query: Query, signals: readonly SignalRow[]): Promise<NewDelivery[]> {
  const due = signals.filter(({ kind }) => kind === "trigger");
  if (due.length === 0) return [];
  const triggers = [...new Set(due.map(({ subject }) => subject))];
  const fired = await run(query, fire, [triggers, databaseTime()]);
  await run(query, lookAgain, [triggers, databaseTime(), due.map(({ id }) => id)]);
  return fired.map(deliveryOf);
}

function deliveryOf({ triggerId, channelId, accountId, applicationId, callbackUrl, uid, isLate, isPaused }: FiredRow) {
  return {
    id: newId("whd"),
    channel_id: channelId,
    account_id: accountId,
    application_id: applicationId,
    type: "trigger",
    body: triggerNotificationBody({ triggerId, eventUid: uid, isLate }),
    host: hostOf(callbackUrl),
    changes_since: null,
    ...(isPaused && { held: true as const }),
  };
}
