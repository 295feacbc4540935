import type { AlertFormat, AlertKind, AlertState } from "@/server/domain/alerts/alerts";

interface KindWords {
  name: string;
  hint: string;
  /** Labels of what can be set. */
  threshold?: string;
  leastRequests?: string;
}

export const kindWords: Record<AlertKind, KindWords> = {
  endpoint_failing: { name: "Endpoint failing", hint: "After 3 failed attempts in a row." },
  deliveries_failed: {
    name: "Deliveries failed",
    hint: "After this many deliveries of an application failed for good within an hour.",
    threshold: "Failed deliveries",
  },
  server_error_rate: {
    name: "Server errors",
    hint: "When this share of an application’s requests fail with 5xx within 15 minutes.",
    threshold: "Percent of requests",
    leastRequests: "Minimum requests",
  },
  client_error_rate: {
    name: "Rejected requests",
    hint: "When this share of an application’s requests are rejected with 4xx within 15 minutes.",
    threshold: "Percent of requests",
    leastRequests: "Minimum requests",
  },
  account_disconnected: { name: "Account disconnected", hint: "When a provider ends a connection." },
  provider_down: { name: "Provider not responding", hint: "When 3 or more accounts can’t sync." },
};

export const stateWords: Record<AlertState, string> = {
  began: "began",
  ongoing: "still ongoing",
  resolved: "resolved",
  test: "test",
};

export const quietOptions = [
  { minutes: 5, word: "5 minutes" },
  { minutes: 15, word: "15 minutes" },
  { minutes: 60, word: "1 hour" },
  { minutes: 240, word: "4 hours" },
  { minutes: 1_440, word: "1 day" },
];

export const formatWords: Record<AlertFormat, { name: string; hint: string; placeholder: string }> = {
  almanac: {
    name: "JSON",
    hint: "Signed like webhooks. A new URL gets a new signing secret.",
    placeholder: "https://example.com/almanac-alerts",
  },
  slack: {
    name: "Slack",
    hint: "The URL of your Slack app’s incoming webhook.",
    placeholder: "https://hooks.slack.com/services/…",
  },
  teams: {
    name: "Microsoft Teams",
    hint: "The URL of a workflow that posts when it receives a webhook request.",
    placeholder: "https://….logic.azure.com/workflows/…",
  },
};
