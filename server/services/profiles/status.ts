import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { isFaulty } from "@/server/domain/text";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { profileStatus, pushState } from "@/server/domain/trouble/profile-status";
import { rawInput } from "@/server/services/input";
import { statusOfProfile } from "@/server/services/profiles/status.sql";
import type { ProfileStatusShape } from "@/server/services/profiles/status-shape";
import { Refusal } from "@/server/services/refusal";
import { accountProcedure } from "@/server/services/trpc";

/**
 * Shows whether a profile is connected and read in time (GET /v1/profiles/{profile_id}/status). Throws not_found for a
 * profile that the account does not have.
 */
export const showProfileStatus = accountProcedure
  .input(rawInput((raw) => raw as { profile_id: string }))
  .query(async ({ input: { profile_id: id }, ctx }): Promise<ProfileStatusShape> => {
    const [row] = isFaulty(id)
      ? []
      : await run(ctx.db.query, statusOfProfile, [id, ctx.bearer.accountId, databaseTime()]);
    if (!row) throw new Refusal({ kind: "not_found" });
    const { provider, nextReadAt, live, missing, pendingWrites, failedWrites, createdAt, ...facts } = row;
    const { state, reason, since, lastReadAt } = profileStatus({
      ...facts,
      createdAt: instant(createdAt),
      disconnectedAt: orNull(facts.disconnectedAt),
      lastSyncAt: orNull(facts.lastSyncAt),
      unreadSince: orNull(facts.unreadSince),
      overdueSince: orNull(facts.overdueSince),
    });
    return {
      state,
      reason,
      since: written(since),
      last_read_at: written(lastReadAt),
      next_read_at: written(orNull(nextReadAt)),
      pushes: pushState(provider, { live, missing }),
      pending_writes: pendingWrites,
      failed_writes: failedWrites,
    };
  });

const instant = (at: Date) => at.getTime() as Instant;
const orNull = (at: Date | null) => at && instant(at);
const written = (at: Instant | null) => at && formatInstant(at);
