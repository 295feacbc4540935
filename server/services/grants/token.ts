import { z } from "zod";
import { text } from "@/server/services/fields";
import { authenticateClient } from "@/server/services/grants/client";
import { exchangeCode } from "@/server/services/grants/exchange-code";
import { oauthInput } from "@/server/services/grants/oauth-input";
import { refreshGrant } from "@/server/services/grants/tokens";
import { oauthRefusal } from "@/server/services/refusal";
import { openProcedure } from "@/server/services/trpc";

export const OAUTH_FIELD = 500;
const GRANT_TYPE = 100;
const REDIRECT_URI = 2_000;

export const credentials = {
  client_id: text({ min: 1, max: OAUTH_FIELD }),
  client_secret: text({ min: 1, max: OAUTH_FIELD }),
};

/** The body of POST /oauth/token; which of the optional ones are required depends on the grant type. */
export const tokenBody = z.object({
  ...credentials,
  grant_type: text({ min: 1, max: GRANT_TYPE }),
  code: text({ min: 1, max: OAUTH_FIELD }).optional(),
  redirect_uri: text({ min: 1, max: REDIRECT_URI }).optional(),
  code_verifier: text({ min: 1, max: OAUTH_FIELD }).optional(),
  refresh_token: text({ min: 1, max: OAUTH_FIELD }).optional(),
});

/** POST /oauth/token: a token response, with the account and profile on a code exchange. Throws OAuth refusals only. */
export const token = openProcedure.input(oauthInput(tokenBody)).mutation(async ({ input, ctx }) => {
  const client = await authenticateClient(ctx, input);
  if (!client) throw oauthRefusal("invalid_client", "The client id is unknown or the secret is wrong");
  switch (input.grant_type) {
    case "authorization_code": {
      const { code, redirect_uri, code_verifier } = input;
      if (!code || !redirect_uri)
        throw oauthRefusal("invalid_request", `${code ? "redirect_uri" : "code"} is required`);
      return exchangeCode(ctx, {
        applicationId: client.id,
        code,
        redirectUri: redirect_uri,
        codeVerifier: code_verifier,
      });
    }
    case "refresh_token": {
      if (!input.refresh_token) throw oauthRefusal("invalid_request", "refresh_token is required");
      const given = { refreshToken: input.refresh_token, applicationId: client.id, now: ctx.now };
      const response = await refreshGrant(ctx.db.query, given);
      if (!response)
        throw oauthRefusal("invalid_grant", "The refresh token is revoked or belongs to another application");
      return response;
    }
    default:
      throw oauthRefusal("unsupported_grant_type", "grant_type must be authorization_code or refresh_token");
  }
});
