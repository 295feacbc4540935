import { newId } from "@/server/db/new-id";
import { ACCESS_TOKEN_SECONDS } from "@/server/domain/grants";
import { MAX_VISITORS, VISIT_MS, VISITORS_APPLICATION } from "@/server/domain/visitors";
import { openCalendarOf } from "@/server/services/application-calendars/open";
import { Refusal } from "@/server/services/refusal";
import { openProcedure, refuseWrites } from "@/server/services/trpc";

const SECOND_MS = 1000;
const visitors = { id: VISITORS_APPLICATION, plan: "developer", compatibilityMode: false } as const;

/**
 * Opens a calendar for a visitor of the documentation, `{ access_token, calendar_id, sub, expires_in }`, which `closeVisits`
 * removes after about an hour. Throws not_found where the sandbox is off, overloaded when there are too many (ADR 63).
 */
export const visit = openProcedure.mutation(async ({ ctx }) => {
  if (!ctx.sandbox.isOn) throw new Refusal({ kind: "not_found" });
  refuseWrites(ctx);
  const { prisma } = ctx.db;
  const living = { applicationId: VISITORS_APPLICATION, revokedAt: null };
  if ((await prisma.account.count({ where: living })) >= MAX_VISITORS) {
    throw new Refusal({ kind: "overloaded", retryAfter: VISIT_MS / SECOND_MS });
  }
  const application = {
    id: VISITORS_APPLICATION,
    clientId: "documentation",
    name: "Documentation",
    plan: visitors.plan,
  };
  await prisma.application.createMany({ data: [application], skipDuplicates: true });
  const name = newId("apc").replace("apc_", "visitor-");
  const host = new URL(ctx.baseUrl).hostname;
  const opened = await ctx.db.transaction((query) =>
    openCalendarOf(query, { client: visitors, name, host, now: ctx.now }),
  );
  const calendar = await prisma.calendar.findFirstOrThrow({
    where: { accountId: opened.accountId },
    select: { id: true },
  });
  const expires_in = Math.min(VISIT_MS / SECOND_MS, ACCESS_TOKEN_SECONDS);
  return { access_token: opened.tokens.access_token, calendar_id: calendar.id, sub: opened.accountId, expires_in };
});
