import { z } from "zod";
import { newId, newSigningSecret } from "@/server/db/new-id";
import { wake } from "@/server/db/wake";
import { type CallbackUrlFault, checkCallbackUrl } from "@/server/domain/channels/callback-url";
import { shownFilters } from "@/server/domain/channels/notification";
import { differs } from "@/server/domain/compat";
import { MAX_CHANNEL_CALENDARS, MAX_OPEN_CHANNELS } from "@/server/domain/limits";
import { isFaulty } from "@/server/domain/text";
import { MAX_CALLBACK_URL, MAX_ID } from "@/server/domain/text-limits";
import { VISITORS_APPLICATION } from "@/server/domain/visitors";
import { refused, text } from "@/server/services/fields";
import { inputOf, rawInput } from "@/server/services/input";
import { requireLivingAccount } from "@/server/services/living-account";
import { invalid } from "@/server/services/refusal";
import { accountProcedure } from "@/server/services/trpc";
import { countOpenChannels, insertChannel, type NewChannel } from "@/server/store/channels/channels";
import { putSignal } from "@/server/store/channels/outbox";

/** Creates the schema of an address that notifications are sent to. */
export function callbackUrl(callbackOrigins: readonly string[], max = MAX_CALLBACK_URL) {
  return text({ max })
    .check(({ value, issues }) => {
      // Text that cannot be stored has its own key.
      const key = isFaulty(value) ? null : checkCallbackUrl(value, callbackOrigins);
      if (key) issues.push(refused(value, { key }, sentences[key]));
    })
    .meta({ format: "uri", description: "An https URL on port 443 with a public host and no credentials." });
}

/** Builds the body of POST /v1/channels; `callbackOrigins` are accepted whatever other rule their addresses break. */
export function channelBody(callbackOrigins: readonly string[]) {
  return z.object({
    callback_url: callbackUrl(callbackOrigins),
    filters: z
      .object({
        // Counted before its entries are checked: thousands of errors would make a far larger response.
        calendar_ids: z
          .array(z.unknown())
          .max(MAX_CHANNEL_CALENDARS)
          .pipe(z.array(text({ min: 1, max: MAX_ID })))
          .meta({
            items: { type: "string", minLength: 1, maxLength: MAX_ID },
            description: "Notify only of changes in these calendars. Default: every calendar of the account.",
          })
          .optional(),
        only_managed: z.boolean().describe("Notify only of changes to events your application created.").optional(),
      })
      .default({}),
  });
}

/** Otherwise strangers could have this service send requests to anyone. */
const NOT_FOR_VISITORS = "Calls from the documentation can't create channels: use your own application";

const sentences: Record<CallbackUrlFault, string> = {
  "errors.invalid_callback_url": "must be an https URL",
  "errors.invalid_callback_url_blocked": "must have a public host, use port 443 and contain no credentials",
};

/**
 * Opens a channel and schedules its verification notification (POST /v1/channels). An empty filters.calendar_ids is a
 * filter like any other: it contains no calendar, so no change is notified. Throws signed_out when the account is
 * revoked in the meantime.
 */
export const openChannel = accountProcedure
  .input(rawInput((raw) => raw)) // read below, where the operator's origins are known
  .mutation(async ({ input, ctx }) => {
    const { callback_url, filters } = inputOf(channelBody(ctx.callbackOrigins))(input);
    const { accountId, applicationId } = ctx.bearer;
    if (applicationId === VISITORS_APPLICATION) throw tooManyRefusal(NOT_FOR_VISITORS);
    const opened: NewChannel = {
      id: newId("chn"),
      accountId,
      callbackUrl: callback_url,
      calendarIds: filters.calendar_ids ?? null,
      onlyManaged: filters.only_managed ?? null,
      secret: newSigningSecret(),
    };
    await ctx.db.transaction(async (query) => {
      await requireLivingAccount(query, accountId);
      if ((await countOpenChannels(query, accountId)) >= MAX_OPEN_CHANNELS) throw tooManyRefusal();
      await insertChannel(query, opened);
      await putSignal(query, { kind: "verification", accountId, subject: opened.id, payload: {} });
    });
    wake("notify");
    const signing_secret = opened.secret;
    return {
      channel: {
        channel_id: opened.id,
        callback_url,
        filters: shownFilters(opened),
        ...(!differs("hasNoChannelSignature", ctx.bearer) && { signing_secret }),
      },
    };
  });

function tooManyRefusal(description = `The account has ${MAX_OPEN_CHANNELS} open channels already`) {
  return invalid({ path: [], key: "errors.too_many_channels", description });
}
