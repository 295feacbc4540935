/** What a write may be given up for, as `provider_writes.last_error` has it: of these its provider has refused nothing. */
const givenUpFor = ["conflict", "down", "internal", "credentials_rejected", "sync_token_expired", "throttled"] as const;

export type GivenUpFor = (typeof givenUpFor)[number];

/** SQL for whether a provider has refused a write and our reads say it all the same. */
export const isRefusedWrite = (write: string) =>
  `(${write}.refused_at IS NOT NULL AND ${write}.reverted_at IS NULL AND coalesce(${write}.last_error, '') NOT IN (${listed}))`;

/** SQL for whether a write was given up although its provider has refused nothing. */
export const isGivenUpWrite = (write: string) =>
  `(${write}.refused_at IS NOT NULL AND coalesce(${write}.last_error, '') IN (${listed}))`;

const listed = givenUpFor.map((reason) => `'${reason}'`).join(", ");
