/** The reasons for giving up a write, as in `provider_writes.last_error`. In these cases the provider has rejected nothing. */
const givenUpFor = ["conflict", "down", "internal", "credentials_rejected", "sync_token_expired", "throttled"] as const;

export type GivenUpFor = (typeof givenUpFor)[number];

/** SQL for whether a provider has rejected a write and reads still return it. */
export const isRefusedWrite = (write: string) =>
  `(${write}.refused_at IS NOT NULL AND ${write}.reverted_at IS NULL AND coalesce(${write}.last_error, '') NOT IN (${listed}))`;

/** SQL for whether a write was given up although its provider has not rejected it. */
export const isGivenUpWrite = (write: string) =>
  `(${write}.refused_at IS NOT NULL AND coalesce(${write}.last_error, '') IN (${listed}))`;

const listed = givenUpFor.map((reason) => `'${reason}'`).join(", ");
