/**
 * What becomes of a write to a provider, one for each event that the provider has not received as the application wrote it:
 *
 *     written by the application ──▶ queued ◀──────────────── retried by staff, or the provider is back
 *                                      │ ▲                              │
 *                              claimed │ │ written again in the meantime      │
 *                                      ▼ │                              │
 *          accepted: no row ◀──────── writing ──── rejected ───────▶ refused ── reads say what the provider has ──▶ reverted
 *                                     │ ▲ └─────── 48 hours and ten attempts over ──▶ given_up
 *                              failed │ │ due
 *                                     ▼ │
 *                                   retrying
 *
 * While its profile is disconnected it is `suspended` from queued and retrying, and queued again once the user reconnects. Another write
 * of the application queues it from every state.
 */
export const writeStates = ["queued", "writing", "retrying", "suspended", "refused", "given_up", "reverted"] as const;
export type WriteState = (typeof writeStates)[number];

/** Why a write is given up, as `provider_writes.last_error` has it. The provider has rejected nothing then. */
export const givenUpFor = [
  "conflict",
  "down",
  "internal",
  "credentials_rejected",
  "sync_token_expired",
  "throttled",
] as const;
export type GivenUpFor = (typeof givenUpFor)[number];
