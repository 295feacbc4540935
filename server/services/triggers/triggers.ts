import type { z } from "zod";
import type { Trigger } from "@/server/db/generated/client";
import { newId, newSigningSecret } from "@/server/db/new-id";
import { wake } from "@/server/db/wake";
import { differs } from "@/server/domain/compat";
import { isFaulty } from "@/server/domain/text";
import { type Anchor, MAX_TRIGGERS } from "@/server/domain/triggers";
import { VISITORS_APPLICATION } from "@/server/domain/visitors";
import { inputOf, rawInput } from "@/server/services/input";
import { refuseRevoked, requireLivingAccount } from "@/server/services/living-account";
import { invalid, Refusal } from "@/server/services/refusal";
import {
  type createdTriggerShape,
  type TriggerShape,
  triggerBody,
  type triggersShape,
} from "@/server/services/triggers/shape";
import { accountProcedure } from "@/server/services/trpc";
import { countTriggers, dropTrigger, insertTrigger } from "@/server/store/triggers/triggers";

/**
 * Creates a trigger (POST /v1/triggers): it fires for what happens from now on. Throws 422, also for the thousand and
 * first, and signed_out when the account is revoked in the meantime.
 */
export const createTrigger = accountProcedure
  .input(rawInput((raw) => raw)) // read below, where the operator's origins are known
  .mutation(async ({ input, ctx }): Promise<z.output<typeof createdTriggerShape>> => {
    const body = inputOf(triggerBody(ctx.callbackOrigins))(input);
    const { accountId, applicationId } = ctx.bearer;
    if (applicationId === VISITORS_APPLICATION) throw refusedHere("Calls from the documentation can't create triggers");
    const { before, after, minutes, calendar_ids, only_managed, min_guests } = body;
    const anchor = before ?? after ?? "event_start";
    const trigger = {
      id: newId("trg"),
      channelId: newId("chn"),
      accountId,
      callbackUrl: body.callback_url,
      anchor: anchor === "event_start" ? "start" : "end",
      minutes: before === undefined ? minutes : -minutes,
      calendarIds: calendar_ids ?? null,
      onlyManaged: only_managed === true,
      minGuests: min_guests ?? 0,
      secret: newSigningSecret(),
    };
    await ctx.db.transaction(async (query, prisma) => {
      await requireLivingAccount(query, accountId);
      if ((await countTriggers({ prisma }, accountId)) >= MAX_TRIGGERS) {
        throw refusedHere(`The account has ${MAX_TRIGGERS} triggers already`);
      }
      await insertTrigger({ query, prisma }, trigger);
    });
    wake("notify");
    // At the time itself, before and after are the same.
    const shown = { trigger_id: trigger.id, ...body, ...(minutes === 0 && { before: undefined, after: anchor }) };
    return { ...shown, ...(!differs("hasNoChannelSignature", ctx.bearer) && { signing_secret: trigger.secret }) };
  });

function refusedHere(description: string): Refusal {
  return invalid({ path: [], key: "errors.too_many_channels", description });
}

/** Lists the triggers, the oldest first, without their secrets (GET /v1/triggers). */
export const listTriggers = accountProcedure.query(async ({ ctx }): Promise<z.output<typeof triggersShape>> => {
  const { accountId } = ctx.bearer;
  const triggers = await ctx.db.prisma.trigger.findMany({
    where: { accountId, channel: { closedAt: null } },
    include: { channel: { select: { callbackUrl: true } } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  if (triggers.length === 0) await refuseRevoked(ctx.db, accountId);
  return { triggers: triggers.map(({ channel, ...trigger }) => shownTrigger(trigger, channel.callbackUrl)) };
});

function shownTrigger(trigger: Trigger, callbackUrl: string): TriggerShape {
  const { id, anchor, minutes, calendarIds, allCalendars, onlyManaged, minGuests } = trigger;
  const at: Anchor = anchor === "start" ? "event_start" : "event_end";
  return {
    trigger_id: id,
    callback_url: callbackUrl,
    ...(minutes < 0 ? { before: at } : { after: at }),
    minutes: Math.abs(minutes),
    ...(!allCalendars && { calendar_ids: calendarIds }),
    ...(onlyManaged && { only_managed: true }),
    ...(minGuests > 0 && { min_guests: minGuests }),
  };
}

/** Deletes a trigger, and cancels what it has not sent yet (DELETE /v1/triggers/{trigger_id}). Throws not_found. */
export const deleteTrigger = accountProcedure
  .input(rawInput((raw) => raw as { trigger_id: string }))
  .mutation(async ({ input: { trigger_id: id }, ctx }): Promise<void> => {
    const { accountId } = ctx.bearer;
    if (isFaulty(id)) throw new Refusal({ kind: "not_found" });
    await ctx.db.transaction(async (query, prisma) => {
      await requireLivingAccount(query, accountId);
      if (!(await dropTrigger({ query, prisma }, { id, accountId }))) throw new Refusal({ kind: "not_found" });
    });
  });
