/** SQL: an attempt of a delivery. Partitions of the days before the delivery are not looked into, but for the one that a process whose clock is behind may have written. */
export const isAttemptOf = (attempt: string, delivery: string) =>
  `${attempt}.delivery_id = ${delivery}.id AND ${attempt}.started_at > ${delivery}.created_at - interval '1 day'`;
