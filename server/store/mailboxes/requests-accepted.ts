/** Writes SQL for whether a profile's provider accepts requests for it. `t` has the time as `now`. */
export const isUnthrottled = (profile: string) =>
  `(${profile}.throttled_until IS NULL OR ${profile}.throttled_until <= t.now)`;

/** Writes SQL for whether a provider in a column accepts requests. `t` has the time as `now`. */
export const isUnpaused = (provider: string) =>
  `NOT EXISTS (SELECT FROM provider_pauses q WHERE q.provider = ${provider} AND q.until > t.now)`;
