/**
 * States of a write to a provider, one for each event that the provider has not received as the application wrote it:
 *
 *     written by the application ──▶ queued ◀──────── retried by staff, or the provider is back ────────┐
 *                                      │ ▲                                                              │
 *                              claimed │ │ written again while writing                                  │
 *                                      ▼ │                                                              │
 *          accepted: no row ◀───────── writing ──── rejected ──────────────────────▶ refused ───────────┤
 *                                      │ ▲ └─────── 48 hours and ten attempts over ▶ given_up ──────────┘
 *                               failed │ │ due
 *                                      ▼ │
 *                                    retrying
 *
 * A refused write is `reverted` once reads return the provider's version. While its profile is disconnected a write that
 * is still to be sent is `suspended`, even if staff retry it then, and it is queued again once the user reconnects.
 * Another write of the application queues it from every state.
 */
export const writeStates = ["queued", "writing", "retrying", "suspended", "refused", "given_up", "reverted"] as const;
export type WriteState = (typeof writeStates)[number];

/** Why a write is given up, as stored in `provider_writes.last_error`. The provider has rejected nothing then. */
export const givenUpFor = [
  "conflict",
  "down",
  "internal",
  "credentials_rejected",
  "sync_token_expired",
  "throttled",
  "refused",
  "no_mailbox",
  "misconfigured",
] as const;
export type GiveUpReason = (typeof givenUpFor)[number];

/** The reasons that end once the provider works again, without the application or staff. */
export const passingReasons = [
  "down",
  "no_mailbox",
  "misconfigured",
  "credentials_rejected",
] as const satisfies readonly GiveUpReason[];
