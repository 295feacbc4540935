import { CLOCKS_APART_MS } from "@/server/store/deliveries/days";

/**
 * Returns the SQL condition for an attempt of a delivery. Partitions of the days before it are not read; nor are they
 * planned for when `from` names a value with the first time.
 */
export const isAttemptOf = (attempt: string, delivery: string, from?: string) =>
  `${attempt}.delivery_id = ${delivery}.id AND ${attempt}.started_at > ${delivery}.created_at - interval '${CLOCKS_APART_MS / 3_600_000} hours'${from === undefined ? "" : ` AND ${attempt}.started_at >= ${from}::timestamptz`}`;

interface Attempted {
  id: string;
  createdAt: Date;
  finishedAt: Date | null;
  manualAttempts: number;
}

/** Returns the same condition for Prisma. Only requests of staff lead to an attempt after a delivery's end. */
export const attemptsOf = ({ id, createdAt, finishedAt, manualAttempts }: Attempted) => ({
  deliveryId: id,
  startedAt: {
    gt: new Date(createdAt.getTime() - CLOCKS_APART_MS),
    ...(finishedAt && manualAttempts === 0 && { lt: new Date(finishedAt.getTime() + CLOCKS_APART_MS) }),
  },
});

/** Returns the same condition for several deliveries, whenever they ended. */
export const attemptsOfAny = (deliveries: readonly Pick<Attempted, "id" | "createdAt">[]) => ({
  deliveryId: { in: deliveries.map(({ id }) => id) },
  startedAt: { gt: new Date(Math.min(...deliveries.map(({ createdAt }) => createdAt.getTime())) - CLOCKS_APART_MS) },
});
