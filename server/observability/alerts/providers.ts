import type { AlertRule } from "@/server/observability/alert-rule";

/** Alerts about calendar providers: whether syncs start and succeed. */
export const providerAlerts: readonly AlertRule[] = [
  {
    alert: "AlmanacSyncsLate",
    expr: "max by (provider) (almanac_sync_lag_seconds) >= 900",
    for: "1m",
    severity: "ticket",
    summary: "Syncs are 15 minutes late: {{ $labels.provider }}",
    users: "Changes made in this provider's calendars show up late.",
    first: [
      "`max by (provider) (almanac_sync_lag_seconds)`: one provider, or all?",
      "`sum by (provider, result) (rate(almanac_syncs_total[5m]))`: are any being done?",
      "`curl -s http://worker-1:9464/health/providers`: does the provider limit requests?",
    ],
    advice:
      "Syncs of one provider are due, and no worker starts them. Check that workers are running, then add workers or `SYNC_SLOTS`: one provider gets half of them.",
    escalate: "If the provider limits requests for the whole project, ask it for a larger quota.",
  },
  {
    alert: "AlmanacSyncsFail",
    expr: 'sum by (provider) (rate(almanac_syncs_total{result!="synced"}[2m])) / sum by (provider) (rate(almanac_syncs_total[2m])) > 0.5',
    for: "30s",
    severity: "ticket",
    summary: "Most syncs fail: {{ $labels.provider }}",
    users: "Calendars of this provider are out of date, and events written to them arrive later.",
    first: [
      "`sum by (provider, result) (rate(almanac_syncs_total[5m]))`: `down`, `throttled` or `credentials_rejected`?",
      "The provider's status page: for Google `www.google.com/appsstatus/dashboard`, for Microsoft `status.cloud.microsoft`.",
      "`node server/front-door/doctor.mjs`: does the provider accept the client's credentials?",
    ],
    advice:
      "Calendars are out of date: the provider may be down or throttling you, or it rejects Almanac's client secret. The dashboard shows the last error of each account.",
    escalate:
      "To the provider's support, if its status page is green and the credentials are accepted. See [Outages](outages.md#when-a-provider-is-away).",
  },
  {
    alert: "AlmanacCredentialsRejected",
    expr: 'sum by (provider) (rate(almanac_syncs_total{result="credentials_rejected"}[5m])) > 0.1',
    for: "1m",
    severity: "ticket",
    summary: "Many users must reconnect: {{ $labels.provider }}",
    users: "Each has to connect the calendar again. Until then it isn't synced.",
    first: [
      "`node server/front-door/doctor.mjs`: does the provider accept the client's credentials?",
      '`sum by (provider) (increase(almanac_syncs_total{result="credentials_rejected"}[1h]))`: how many?',
      "Accounts in the dashboard, filtered by Disconnected: one organization, or all?",
    ],
    advice: "Check the client secret at the provider.",
    escalate: "To whoever owns the OAuth client at the provider. One organization: its administrator revoked access.",
  },
];
