import { z } from "zod";
import { newToken } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import { accessParameter } from "@/server/domain/access";
import { MAX_RECONNECT_LINK_SECONDS, RECONNECT_LINK_SECONDS } from "@/server/domain/grants";
import { isFaulty } from "@/server/domain/text";
import { MAX_REDIRECT_URI } from "@/server/domain/text-limits";
import { providerName } from "@/server/domain/wire-names";
import { env } from "@/server/env";
import { sparse, text } from "@/server/services/fields";
import { inputOf, rawInput } from "@/server/services/input";
import { requireLivingAccount } from "@/server/services/living-account";
import { reconnectableProfile } from "@/server/services/profiles/reconnect-link.sql";
import { invalid, Refusal } from "@/server/services/refusal";
import { type AccountContext, accountProcedure } from "@/server/services/trpc";
import { storeLinkToken } from "@/server/store/link-tokens/link-tokens";

/** The body of POST /v1/profiles/{profile_id}/reconnect_links. */
export const reconnectLinkBody = sparse({
  expires_in: z
    .int()
    .min(1)
    .max(MAX_RECONNECT_LINK_SECONDS)
    .default(RECONNECT_LINK_SECONDS)
    .describe("For how many seconds the link works."),
  redirect_uri: text({ min: 1, max: MAX_REDIRECT_URI })
    .describe(
      "Where the user returns to. Must match a registered redirect URI exactly. Default: the first one of your application, https before others.",
    )
    .optional(),
});

/** The response of POST /v1/profiles/{profile_id}/reconnect_links. */
export const reconnectLinkShape = z.object({
  url: z.string().meta({ format: "uri" }).describe("Send it only to the user. Anyone who has it can open the page."),
});

const body = inputOf(reconnectLinkBody);

const input = rawInput((raw) => {
  const { profile_id, body: sent } = raw as { profile_id: string; body: unknown };
  return { profileId: profile_id, ...body(sent) };
});

/**
 * Creates a link at which a user reconnects one profile (POST /v1/profiles/{profile_id}/reconnect_links). Refuses with
 * 422 for the body, then not_found for the profile, then with 422 for an application calendar or a feed and for a
 * redirect URI that is not registered.
 */
export const createReconnectLink = accountProcedure.input(input).mutation(async ({ input, ctx }) => {
  const { profileId, expires_in: seconds } = input;
  const { accountId } = ctx.bearer;
  const request = await requestFor(ctx, profileId, input.redirect_uri ?? null);
  const token = newToken("lt");
  await ctx.db.transaction(async (query, prisma) => {
    await requireLivingAccount(query, accountId);
    await storeLinkToken(prisma, { token, accountId, profileId, lifeMs: seconds * 1_000, now: ctx.now });
  });
  return { url: `${env().APP_URL}/oauth/authorize?${new URLSearchParams({ ...request, link_token: token })}` };
});

/** Returns the authorization request of a link. The page takes provider and access from the link token: these are for readers of the link. */
async function requestFor(
  ctx: AccountContext,
  profileId: string,
  requested: string | null,
): Promise<Record<string, string>> {
  const [profile] = isFaulty(profileId)
    ? []
    : await run(ctx.db.query, reconnectableProfile, [profileId, ctx.bearer.accountId, requested]);
  if (!profile) throw new Refusal({ kind: "not_found" });
  const { provider, access, clientId, redirectUri } = profile;
  if (provider === "hosted" || provider === "feed") throw invalid({ path: [], ...nothingToReconnect[provider] });
  if (redirectUri === null) throw unusableUri(requested);
  const named = { response_type: "code", client_id: clientId, redirect_uri: redirectUri };
  const request = { ...named, ...accessParameter(access) };
  return provider === "caldav" ? request : { ...request, provider_name: providerName(ctx.names, provider) };
}

const nothingToReconnect = {
  hosted: {
    key: "errors.invalid",
    description: "Almanac hosts application calendars: there is nothing to reconnect",
  },
  feed: { key: "errors.invalid", description: "A calendar feed has no sign-in: there is nothing to reconnect" },
} as const;

function unusableUri(requested: string | null): Refusal {
  const path = ["redirect_uri"];
  if (requested === null) {
    return invalid({ path, key: "errors.required", description: "redirect_uri is required: none is registered" });
  }
  const description = "redirect_uri must be one of the application's registered redirect URIs";
  return invalid({ path, key: "errors.invalid_value", description });
}
