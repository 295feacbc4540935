import { z } from "zod";
import { ACCESS_TOKEN_SECONDS, SCOPE } from "@/server/domain/grants";
import { oauthErrors } from "@/server/domain/oauth-errors";
import { providerNameTokens, type Vocabulary } from "@/server/domain/wire-names";
import { id, wireNames } from "@/server/services/response-fields";

const tokens = {
  token_type: z.literal("bearer"),
  access_token: z.string().regex(/^at_/).describe("Send it in the `Authorization: Bearer …` header."),
  expires_in: z
    .int()
    .min(1)
    .max(ACCESS_TOKEN_SECONDS)
    .describe(
      `Seconds until the access token expires: ${ACCESS_TOKEN_SECONDS}, or less when compatibility mode returns an existing token.`,
    ),
  refresh_token: z
    .string()
    .regex(/^rt_/)
    .describe("Exchange it for new access tokens. It never changes, except for public clients."),
  scope: z.literal(SCOPE),
};

/** Builds `linking_profile` of a token response: the calendar account that was connected. */
export function linkingProfileShape(names: Vocabulary) {
  return z
    .object({
      provider_name: wireNames(names, providerNameTokens),
      profile_id: id("pro"),
      profile_name: z.string().nullable(),
    })
    .describe("The connected calendar account.");
}

/** Builds the response of POST /oauth/token ("Token response"): the last three fields only when a code is exchanged. */
export function tokenResponseShape(linkingProfile: ReturnType<typeof linkingProfileShape>) {
  return z.object({
    ...tokens,
    sub: id("acc", "apc").optional().describe("The account id. Only in responses to a code exchange."),
    account_id: id("acc", "apc").optional().describe("The same as `sub`."),
    linking_profile: linkingProfile.optional(),
  });
}

/** Builds the response of POST /v1/application_calendars ("Token response"). */
export function applicationCalendarShape(linkingProfile: ReturnType<typeof linkingProfileShape>) {
  return z.object({
    ...tokens,
    sub: z
      .string()
      .regex(/^apc_[0-9a-f]{24}$/)
      .describe("The account id."),
    account_id: z
      .string()
      .regex(/^apc_[0-9a-f]{24}$/)
      .describe("The same as `sub`."),
    linking_profile: linkingProfile,
    application_calendar_id: z.string(),
  });
}

/** 400 of the OAuth endpoints ("Errors", OAuth errors). */
export const oauthErrorShape = z.object({
  error: z.enum(oauthErrors),
  error_description: z.string().optional(),
});
