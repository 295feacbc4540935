import { z } from "zod";
import { unseal } from "@/server/db/sealed";
import { payloads, signatures } from "@/server/domain/channels/delivery-settings";
import { plainBase64 } from "@/server/domain/channels/standard-webhooks";
import { isFaulty } from "@/server/domain/text";
import { sparse } from "@/server/services/fields";
import { inputOf, rawInput } from "@/server/services/input";
import { requireLivingAccount } from "@/server/services/living-account";
import { unknownChannel } from "@/server/services/refusal";
import { accountProcedure } from "@/server/services/trpc";

/** The body of PUT /v1/channels/{channel_id}/delivery. */
export const deliveryBody = sparse({
  payload: z
    .enum(payloads)
    .describe("`changes`: notifications of the type `change` say what changed, as `GET /v1/changes` does.")
    .default("thin"),
  signature: z
    .enum(signatures)
    .describe("`standard_webhooks`: notifications also carry the headers of Standard Webhooks.")
    .default("default"),
  write_refused: z
    .boolean()
    .describe(
      "Send a notification of the type `write_refused` when a provider rejects an event that your application wrote.",
    )
    .default(false),
});

/** The response of PUT /v1/channels/{channel_id}/delivery. */
export const deliveryShape = z.object({
  delivery: z.object({
    payload: z.enum(payloads),
    signature: z.enum(signatures),
    write_refused: z.boolean(),
    signing_secret: z
      .string()
      .describe("With `standard_webhooks`: the key that its libraries accept, in base64. It is the channel's own key.")
      .optional(),
  }),
});

const body = inputOf(deliveryBody);

/**
 * Sets how a channel's notifications look (PUT /v1/channels/{channel_id}/delivery); what is omitted returns to the
 * default. Throws unknown_channel for one that is not open.
 */
export const setDelivery = accountProcedure
  .input(
    rawInput((raw) => {
      const { channel_id, body: sent } = raw as { channel_id: string; body: unknown };
      return { channelId: channel_id, settings: body(sent) };
    }),
  )
  .mutation(async ({ input: { channelId: id, settings }, ctx }): Promise<z.output<typeof deliveryShape>> => {
    const { accountId } = ctx.bearer;
    if (isFaulty(id)) throw unknownChannel("open ");
    const { payload, signature, write_refused: writeRefused } = settings;
    const sealed = await ctx.db.transaction(async (query, prisma) => {
      await requireLivingAccount(query, accountId);
      const [channel] = await prisma.channel.updateManyAndReturn({
        where: { id, accountId, closedAt: null, ofTrigger: false },
        data: { payload, signature, writeRefused },
        select: { sealedSecret: true },
      });
      if (!channel) throw unknownChannel("open ");
      return channel.sealedSecret;
    });
    const secret = unseal(sealed, { table: "channels", column: "sealed_secret", row: id });
    const signing_secret = plainBase64(secret);
    return { delivery: { ...settings, ...(signature === "standard_webhooks" && { signing_secret }) } };
  });
