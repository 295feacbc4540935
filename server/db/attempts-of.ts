import { CLOCKS_APART_MS } from "@/server/db/delivery-days";

/**
 * SQL: an attempt of a delivery. Partitions of the days before it are not looked into, and not planned for either where `from` names a value that
 * says from when on.
 */
export const isAttemptOf = (attempt: string, delivery: string, from?: string) =>
  `${attempt}.delivery_id = ${delivery}.id AND ${attempt}.started_at > ${delivery}.created_at - interval '${CLOCKS_APART_MS / 3_600_000} hours'${from === undefined ? "" : ` AND ${attempt}.started_at >= ${from}::timestamptz`}`;

interface Attempted {
  id: string;
  createdAt: Date;
  finishedAt: Date | null;
  manualAttempts: number;
}

/** The same for Prisma. Only staff have something attempted after its end. */
export const attemptsOf = ({ id, createdAt, finishedAt, manualAttempts }: Attempted) => ({
  deliveryId: id,
  startedAt: {
    gt: new Date(createdAt.getTime() - CLOCKS_APART_MS),
    ...(finishedAt && manualAttempts === 0 && { lt: new Date(finishedAt.getTime() + CLOCKS_APART_MS) }),
  },
});

/** The same of several, whenever they ended. */
export const attemptsOfAny = (deliveries: readonly Pick<Attempted, "id" | "createdAt">[]) => ({
  deliveryId: { in: deliveries.map(({ id }) => id) },
  startedAt: { gt: new Date(Math.min(...deliveries.map(({ createdAt }) => createdAt.getTime())) - CLOCKS_APART_MS) },
});
