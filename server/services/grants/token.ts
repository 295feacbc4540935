import { z } from "zod";
import { CODE_LIFE_MS } from "@/server/domain/grants";
import { MAX_OAUTH_FIELD, MAX_REDIRECT_URI } from "@/server/domain/text-limits";
import { durationWords } from "@/server/domain/time/duration-words";
import { text } from "@/server/services/fields";
import { type OAuthClient, requireClient } from "@/server/services/grants/client";
import { clientInput } from "@/server/services/grants/client-input";
import { exchangeCode } from "@/server/services/grants/exchange-code";
import { oauthInput } from "@/server/services/grants/oauth-input";
import { tokenResponse } from "@/server/services/grants/token-response";
import { oauthRefusal } from "@/server/services/refusal";
import { type Context, openProcedure } from "@/server/services/trpc";
import { endGrant } from "@/server/store/grants/end-grant";
import { isRotating } from "@/server/store/grants/rotating-token";
import { refreshRotating } from "@/server/store/grants/rotating-tokens";
import { refreshGrant } from "@/server/store/grants/tokens";

const GRANT_TYPE = 100;

const OR_BASIC = "Required unless you send it as HTTP Basic.";

/** Both are present when a procedure is called, wherever in the request they were sent. */
export const credentials = {
  client_id: text({ min: 1, max: MAX_OAUTH_FIELD }).describe(`Your application's client id. ${OR_BASIC}`),
  client_secret: text({ min: 1, max: MAX_OAUTH_FIELD }).describe(
    `Any active client secret of your application. ${OR_BASIC} A public client omits it.`,
  ),
};

/** The body of POST /oauth/token; other required fields depend on the grant type, and unneeded ones are ignored. */
const tokenBody = z.object({ ...credentials, grant_type: text({ min: 1, max: GRANT_TYPE }) });

const codeBody = z.object({
  code: text({ min: 1, max: MAX_OAUTH_FIELD }).describe(
    `The authorization code. Single use, valid for ${durationWords(CODE_LIFE_MS)}.`,
  ),
  redirect_uri: text({ min: 1, max: MAX_REDIRECT_URI }).describe("The redirect URI of the authorization request."),
  code_verifier: text({ min: 1, max: MAX_OAUTH_FIELD })
    .describe("Required if the authorization request had a `code_challenge` (PKCE, RFC 7636).")
    .optional(),
});

const refreshBody = z.object({ refresh_token: text({ min: 1, max: MAX_OAUTH_FIELD }) });

/** The accepted bodies, one shape for each grant type. */
export const tokenShape = z.union([
  tokenBody
    .extend({ grant_type: z.literal("authorization_code"), ...codeBody.shape })
    .meta({ required: ["grant_type", "code", "redirect_uri"] }),
  tokenBody
    .extend({ grant_type: z.literal("refresh_token"), ...refreshBody.shape })
    .meta({ required: ["grant_type", "refresh_token"] }),
]);

/** Reads the body by its grant type before the client is authenticated: errors in the body come first. */
const tokenInput = clientInput((raw) => {
  const client = oauthInput(tokenBody)(raw);
  switch (client.grant_type) {
    case "authorization_code":
      return { ...client, grant: { type: "authorization_code" as const, ...oauthInput(codeBody)(raw) } };
    case "refresh_token":
      return { ...client, grant: { type: "refresh_token" as const, ...oauthInput(refreshBody)(raw) } };
    default:
      return { ...client, grant: null };
  }
});

/**
 * Issues a token response (POST /oauth/token), with the account and profile when a code is exchanged. Throws OAuth
 * refusals only.
 */
export const token = openProcedure.input(tokenInput).mutation(async ({ input, ctx }) => {
  const {
    client,
    body: { grant },
  } = await requireClient(ctx, input);
  if (!grant) {
    throw oauthRefusal("unsupported_grant_type", "grant_type must be authorization_code or refresh_token");
  }
  if (grant.type === "authorization_code") {
    const { code, redirect_uri: redirectUri, code_verifier: codeVerifier } = grant;
    return exchangeCode(ctx, { applicationId: client.id, code, redirectUri, codeVerifier, isPublic: client.isPublic });
  }
  return tokenResponse(await refreshed(ctx, client, grant.refresh_token));
});

/** Returns a pair of tokens: the refresh token that was sent or, for a public client, a new one. Throws invalid_grant. */
async function refreshed({ db, now }: Pick<Context, "db" | "now">, client: OAuthClient, refreshToken: string) {
  const sent = { refreshToken, applicationId: client.id, now };
  if (!client.isPublic && !isRotating(refreshToken)) {
    const access = await refreshGrant(db.query, sent);
    if (access) return { access, refresh: refreshToken };
  } else {
    const pair = await refreshRotating(db, { ...sent, rotates: client.isPublic });
    if (pair !== null && !("reused" in pair)) return pair;
    if (pair !== null) await endGrant(db, pair.reused, now);
  }
  throw oauthRefusal("invalid_grant", "The refresh token was revoked or belongs to another application");
}
