import type { Instant } from "@/server/domain/time/instant";
import { clampWindow } from "@/server/domain/window";
import { endedMember, findMembers, type MemberTime } from "@/server/services/availability/members";
import { unknownIssues } from "@/server/services/availability/problems";
import type { BookingBody } from "@/server/services/bookings/body";
import { invalid } from "@/server/services/refusal";
import type { Asking, Context } from "@/server/services/trpc";

export type BookingContext = Context & { asking: Asking };
type Required = Pick<BookingBody, "require_free">;

const DAY_MS = 86_400_000;

/** Looks up who has to be free. Throws 422 for accounts and calendars that the caller does not have. */
export async function requiredMembers(
  { require_free }: Required,
  ctx: BookingContext,
): Promise<Map<string, MemberTime>> {
  const members = await lookUp(require_free, ctx);
  const issues = require_free.flatMap((one, place) => unknownIssues(["require_free", place], one, members));
  if (issues.length > 0) throw invalid(...issues);
  return members;
}

/**
 * Looks up who had to be free for a hold, whoever confirms it. Accounts and calendars that are gone since are problems:
 * the request that confirms names none of them.
 */
export async function membersOfHold(
  { require_free }: Required,
  { asking, ...ctx }: BookingContext,
): Promise<Map<string, MemberTime>> {
  const members = await lookUp(require_free, { ...ctx, asking: { ...asking, accountId: null } });
  for (const { sub } of require_free) {
    const member = members.get(sub) ?? endedMember(sub);
    const isWhole = member.problem !== null || member.unknownCalendars.length === 0;
    members.set(sub, isWhole ? member : { ...member, problem: { reason: "calendar_deleted", since: null } });
  }
  return members;
}

async function lookUp(require_free: Required["require_free"], { db, asking, now }: BookingContext) {
  const wanted = new Map<string, Set<string> | null>();
  for (const { sub, calendar_ids } of require_free) {
    const known = wanted.get(sub);
    const isAll = calendar_ids === undefined || known === null;
    wanted.set(sub, isAll ? null : new Set([...(known ?? []), ...calendar_ids]));
  }
  const asked = [...wanted].map(([sub, calendarIds]) => ({ sub, calendarIds, onlyManaged: false }));
  const needed = (clampWindow({}, now as Instant).to + DAY_MS) as Instant;
  return await findMembers(db, asked, { asking, needed, now: now as Instant });
}
