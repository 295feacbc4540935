import { accountProcedure } from "@/server/services/trpc";

/** Reports what an assistant may do for the account, and whose calendar it is: writing is an administrator's switch of the application. */
export const assistantAccess = accountProcedure.query(async ({ ctx: { db, bearer, now } }) => {
  const { mcpWrites } = await db.prisma.application.findUniqueOrThrow({
    where: { id: bearer.applicationId },
    select: { mcpWrites: true },
  });
  return { writes: mcpWrites, sub: bearer.accountId as string, tzid: bearer.defaultTzid, now };
});

export interface AssistantAccess {
  writes: boolean;
  /** The account. */
  sub: string;
  /** Its default time zone. */
  tzid: string;
  /** In milliseconds since 1970. */
  now: number;
}
