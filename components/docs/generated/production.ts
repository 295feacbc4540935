import { table } from "@/components/docs/written/parts";
import { capacities } from "@/server/env/capacities";
import { count } from "@/server/http/limits";
import { alertRules } from "@/server/observability/alert-rules";

const does: Record<keyof typeof capacities, string> = {
  DATABASE_POOL: "Database connections of the process. A process that does background jobs opens one more.",
  DELIVERY_SLOTS: "Webhook deliveries attempted at once.",
  SYNC_SLOTS: "Calendar accounts read at once, at most half of them at one provider.",
  FIRST_SYNC_SLOTS: "Newly connected calendar accounts read at once beside them.",
  PUSH_SLOTS: "Writes to providers sent at once, at most half of them to one provider.",
  SWEEP_SECONDS: "Seconds between looks for jobs that no wake-up announced.",
  DRAIN_GRACE_SECONDS: "Seconds after SIGTERM during which the port stays open.",
  DRAIN_SECONDS: "Seconds for requests and jobs in progress after that.",
  SYNC_POLL_SECONDS: "Seconds between checks of an account whose provider sends no notifications.",
  SYNC_QUIET_POLL_SECONDS: "The same for an account in which nothing has changed for an hour or more.",
};

/** The variables that set how much a process takes on. */
export function capacityTable(): string {
  const rows = Object.entries(capacities).map(([name, { least, most, byDefault }]) => [
    ...[`\`${name}\``, count(byDefault), `${count(least)} to ${count(most)}`],
    does[name as keyof typeof capacities],
  ]);
  return table({ head: ["Variable", "Default", "Limits", "What it sets"], rows });
}

/** The alerts of rules.yml. */
export function alertTable(): string {
  const rows = alertRules.map(({ alert, expr, for: lasting, severity, advice }) => [
    ...[`\`${alert}\` (${severity})`, `\`${expr}\``, lasting, advice],
  ]);
  return table({ head: ["Alert", "When", "For", "What to do"], rows });
}
