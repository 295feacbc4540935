import type { AlertRule } from "@/server/observability/alert-rule";
import { processAlerts } from "@/server/observability/alerts/processes";
import { providerAlerts } from "@/server/observability/alerts/providers";
import { queueAlerts } from "@/server/observability/alerts/queues";
import { requestAlerts } from "@/server/observability/alerts/requests";
import { objectiveAlerts, recordingRules } from "@/server/observability/objectives";

/** Alerts that fire within two minutes of their fault, which promtool checks. */
export const faultAlerts: readonly AlertRule[] = [
  ...processAlerts,
  ...queueAlerts,
  ...requestAlerts,
  ...providerAlerts,
];

/** Alerts for operators. rules.yml beside this file and docs/runbook.md are generated from them. */
export const alertRules: readonly AlertRule[] = [...faultAlerts, ...objectiveAlerts];

/** Finds the section of the runbook. Prometheus puts in where Almanac is, if its external labels say so. */
const runbookUrl = (alert: string) => `{{ $externalLabels.almanac_url }}/docs/runbook#${alert.toLowerCase()}`;

/** Writes the rules in Prometheus's format. */
export function ruleFile(rules = alertRules): object {
  const written = rules.map(({ alert, expr, for: lasting, severity, summary, advice }) => ({
    alert,
    expr,
    for: lasting,
    labels: { severity },
    annotations: { summary, description: advice, runbook_url: runbookUrl(alert) },
  }));
  return {
    groups: [
      { name: "almanac-objectives", rules: recordingRules },
      { name: "almanac", rules: written },
    ],
  };
}
