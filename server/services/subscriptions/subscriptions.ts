import type { z } from "zod";
import { wake } from "@/server/db/wake";
import { MAX_SUBSCRIPTIONS } from "@/server/domain/subscriptions";
import { isFaulty } from "@/server/domain/text";
import { VISITORS_APPLICATION } from "@/server/domain/visitors";
import { env } from "@/server/env";
import { inputOf, rawInput } from "@/server/services/input";
import { refuseRevoked, requireLivingAccount } from "@/server/services/living-account";
import { invalid, Refusal } from "@/server/services/refusal";
import {
  type createdSubscriptionShape,
  subscriptionBody,
  type subscriptionsShape,
} from "@/server/services/subscriptions/shape";
import { accountProcedure } from "@/server/services/trpc";
import {
  countOthers,
  dropSubscription,
  storeSubscription,
  subscriptionsOf,
} from "@/server/store/subscriptions/subscriptions";

/**
 * Subscribes the account to a feed (POST /v1/subscriptions), which is read in the background. The same address again
 * updates the subscription. Throws 422, also for one too many, and signed_out when the account is revoked in the
 * meantime.
 */
export const createSubscription = accountProcedure
  .input(rawInput((raw) => raw)) // read below, where the operator's origins are known
  .mutation(async ({ input, ctx }): Promise<z.output<typeof createdSubscriptionShape>> => {
    const body = inputOf(subscriptionBody(env().FEED_ALLOWED_ORIGINS))(input);
    const { accountId, applicationId } = ctx.bearer;
    if (applicationId === VISITORS_APPLICATION) throw tooMany("Calls from the documentation can't subscribe to feeds");
    const { url, name, refresh_minutes: refreshMinutes } = body;
    const added = { applicationId, accountId, url, name, refreshMinutes, now: ctx.now };
    const calendarId = await ctx.db.transaction(async (query, prisma) => {
      await requireLivingAccount(query, accountId);
      if ((await countOthers({ query, prisma }, added)) >= MAX_SUBSCRIPTIONS) {
        throw tooMany(`The account has ${MAX_SUBSCRIPTIONS} subscriptions already`);
      }
      return await storeSubscription({ query, prisma }, added);
    });
    wake("sync");
    return { calendar_id: calendarId };
  });

function tooMany(description: string): Refusal {
  return invalid({ path: [], key: "errors.too_big", description });
}

/** Lists the subscriptions, the oldest first, without their addresses (GET /v1/subscriptions). */
export const listSubscriptions = accountProcedure.query(
  async ({ ctx }): Promise<z.output<typeof subscriptionsShape>> => {
    const { accountId } = ctx.bearer;
    const subscriptions = await subscriptionsOf(ctx.db, accountId);
    if (subscriptions.length === 0) await refuseRevoked(ctx.db, accountId);
    return {
      subscriptions: subscriptions.map(({ calendarId, profileId, name, host, refreshMinutes }) => ({
        ...{ calendar_id: calendarId, profile_id: profileId, name, host, refresh_minutes: refreshMinutes },
      })),
    };
  },
);

/** Ends a subscription, and deletes its calendar with all events (DELETE /v1/subscriptions/{calendar_id}). Throws not_found. */
export const deleteSubscription = accountProcedure
  .input(rawInput((raw) => raw as { calendar_id: string }))
  .mutation(async ({ input: { calendar_id: calendarId }, ctx }): Promise<void> => {
    const { accountId } = ctx.bearer;
    if (isFaulty(calendarId)) throw new Refusal({ kind: "not_found" });
    await ctx.db.transaction(async (query, prisma) => {
      await requireLivingAccount(query, accountId);
      const isDropped = await dropSubscription({ query, prisma }, { accountId, calendarId });
      if (!isDropped) throw new Refusal({ kind: "not_found" });
    });
  });
