/** Partitions of the days before a delivery are not looked into for its attempts, but for the one that a process whose clock is behind may have written. */
const CLOCKS_APART_MS = 86_400_000;

/** SQL: an attempt of a delivery. */
export const isAttemptOf = (attempt: string, delivery: string) =>
  `${attempt}.delivery_id = ${delivery}.id AND ${attempt}.started_at > ${delivery}.created_at - interval '${CLOCKS_APART_MS / 3_600_000} hours'`;

/** The same for Prisma. */
export const attemptsOf = ({ id, createdAt }: { id: string; createdAt: Date }) => ({
  deliveryId: id,
  startedAt: { gt: new Date(createdAt.getTime() - CLOCKS_APART_MS) },
});
