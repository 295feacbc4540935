import type { z } from "zod";
import type { Problem } from "@/server/domain/availability/problem";
import type { Issue } from "@/server/domain/issues";
import { formatInstant } from "@/server/domain/time/instant";
import type { MemberTime } from "@/server/services/availability/members";
import type { problemShape } from "@/server/services/availability/response-shape";

/** Writes a problem as responses do. */
export function shownProblem(sub: string, { reason, since }: Problem): z.output<typeof problemShape> {
  return { sub, reason, since: since && formatInstant(since) };
}

/** Lists what is unknown of an account that a request names at `path`: the account itself, or some of its calendars. */
export function unknownIssues(
  path: readonly PropertyKey[],
  { sub, calendar_ids = [] }: { sub: string; calendar_ids?: readonly string[] | undefined },
  known: ReadonlyMap<string, MemberTime>,
): Issue[] {
  const member = known.get(sub);
  const key = "errors.invalid";
  if (!member) {
    const description = "sub is not the id of an account that this credential can ask for";
    return [{ path: [...path, "sub"], key, description }];
  }
  const description = "calendar_ids has an id that is not of a calendar of this account";
  return calendar_ids.flatMap((id, index) =>
    member.unknownCalendars.includes(id) ? [{ path: [...path, "calendar_ids", index], key, description } as const] : [],
  );
}
