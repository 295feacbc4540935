import { z } from "zod";
import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { wake } from "@/server/db/wake";
import { text } from "@/server/services/fields";
import { revokeWithin } from "@/server/services/grants/revoke-account";
import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit";
import { staffInput } from "@/server/services/staff/staff-input";
import { adminProcedure, staffProcedure } from "@/server/services/staff/trpc";
import { retryWrite as retry } from "@/server/store/provider-writes/retry";

const id = text({ min: 1, max: 100 });

/** Tells a provider once more of an event that it refused or has not heard of. Throws not_found, also for one that is undone, and conflict while its profile is disconnected. */
export const retryWrite = staffProcedure.input(staffInput(z.object({ id }))).mutation(async ({ input, ctx }) => {
  await ctx.db.transaction(async (query) => {
    const write = /^\d{1,18}$/.test(input.id) ? await retry(query, input.id) : null;
    if (write && !(await isConnected(query, write.calendarId))) {
      throw new Refusal({ kind: "conflict", text: "This profile is disconnected. The user must reconnect first." });
    }
    if (!write) throw new Refusal({ kind: "not_found" });
    const { accountId, calendarId, wasRefused } = write;
    await audit(query, ctx, {
      action: "write.retried",
      object: accountId,
      detail: { write: input.id, calendarId, wasRefused },
    });
  });
  wake("push");
});

async function isConnected(query: Query, calendarId: string): Promise<boolean> {
  const [profile] = await query<{ connected: boolean }>(
    "SELECT p.connected FROM calendars c JOIN profiles p ON p.id = c.profile_id WHERE c.id = $1",
    [calendarId],
  );
  return profile?.connected === true;
}

/** Reads a profile from its provider now. Throws not_found, and conflict for one that is not connected to a provider. */
export const syncNow = staffProcedure
  .input(staffInput(z.object({ profileId: id })))
  .mutation(async ({ input, ctx }) => {
    await ctx.db.transaction(async (query) => {
      const [profile] = await query<{ accountId: string; isSynced: boolean }>(
        `UPDATE profiles SET sync_due_at = CASE WHEN ${isSynced} THEN coalesce($2::timestamptz, clock_timestamp()) ELSE sync_due_at END, poll_due_at = NULL
WHERE id = $1 RETURNING account_id AS "accountId", ${isSynced} AS "isSynced"`,
        [input.profileId, databaseTime()],
      );
      if (!profile) throw new Refusal({ kind: "not_found" });
      if (!profile.isSynced) {
        throw new Refusal({ kind: "conflict", text: "This profile isn’t connected to a provider." });
      }
      await audit(query, ctx, {
        action: "profile.synced",
        object: profile.accountId,
        detail: { profileId: input.profileId },
      });
    });
    wake("sync");
  });

const isSynced = "(connected AND credential IS NOT NULL AND provider <> 'hosted')";

/** Ends an account's grant as POST /oauth/token/revoke does. Throws not_found, and conflict for one that is revoked already. */
export const revoke = adminProcedure.input(staffInput(z.object({ id }))).mutation(async ({ input, ctx }) => {
  await ctx.db.transaction(async (query) => {
    const [account] = await query<{ applicationId: string }>(
      'SELECT application_id AS "applicationId" FROM accounts WHERE id = $1',
      [input.id],
    );
    if (!account) throw new Refusal({ kind: "not_found" });
    if (!(await revokeWithin(query, input.id, ctx.now))) {
      throw new Refusal({ kind: "conflict", text: "This account is already revoked." });
    }
    await audit(query, ctx, { action: "account.revoked", object: input.id, detail: account });
  });
});
