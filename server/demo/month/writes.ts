import type { FilledAccount } from "@/server/demo/month/accounts";
import type { Month } from "@/server/demo/month/month";
import { HOUR_MS } from "@/server/demo/month/time";

const REFUSED = "isabel@navarro-legal.example";
const DISCONNECTED = "hannah@kaya-dental.example";

/** Stores a write that a provider refused, and some that wait until their user reconnects: neither kind is ever claimed. */
export async function fillWrites({ db: { prisma }, now }: Month, accounts: readonly FilledAccount[]): Promise<void> {
  const refusedAt = new Date(now - 5 * HOUR_MS);
  const rows = [
    ...(await managedOf(REFUSED, 1)).map((row) => ({
      ...{ ...row, attempts: 1, dueAt: null, refusedAt, createdAt: refusedAt },
      lastError: "http_400_ErrorOccurrenceCrossingBoundary",
    })),
    ...(await managedOf(DISCONNECTED, 3)).map((row) => ({
      ...{ ...row, attempts: 1, suspended: true, dueAt: new Date(now - 20 * HOUR_MS) },
      ...{ lastError: "credentials_rejected", createdAt: new Date(now - 20 * HOUR_MS) },
    })),
  ];
  await prisma.providerWrite.createMany({ data: rows });

  async function managedOf(email: string, take: number) {
    const account = accounts.find(({ person }) => person.email === email);
    const [profile] = account?.profiles ?? [];
    const [calendar] = profile?.calendars ?? [];
    if (!account || !profile || !calendar) return [];
    const where = { calendarId: calendar.id, eventId: { not: null }, starts: { gt: new Date(now) } };
    const events = await prisma.event.findMany({ select: { id: true }, where, orderBy: { starts: "asc" }, take });
    return events.map(({ id }) => ({
      ...{ eventRow: id, calendarId: calendar.id, profileId: profile.id, accountId: account.id },
    }));
  }
}
