import type { AlertKind, AlertState } from "@/server/domain/alerts/alerts";

export const kindWords: Record<AlertKind, { name: string; hint: string }> = {
  endpoint_failing: { name: "Endpoint failing", hint: "Its last three attempts failed." },
  account_disconnected: { name: "Account disconnected", hint: "It isn’t synced until the user reconnects." },
  provider_down: { name: "Provider not responding", hint: "Three accounts or more can’t be synced." },
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
