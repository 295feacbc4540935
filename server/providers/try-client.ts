import { randomBytes } from "node:crypto";
import type { Quota } from "@/server/domain/provider-quotas";
import { egressFetch } from "@/server/egress/fetch";
import type { Env } from "@/server/env";
import { atOrigin } from "@/server/providers/at-origin";
import { type OAuthClient, ProviderError } from "@/server/providers/connector";
import { googleEndpoints } from "@/server/providers/google/endpoints";
import { microsoftEndpoints } from "@/server/providers/microsoft/endpoints";
import { oauthWordsOf, postForm } from "@/server/providers/token-endpoint";

const WITHIN_MS = 10_000;
const MOST_BYTES = 65_536;

/** What a provider says of a client. `said`: its own words, for staff. `error`: why it couldn't be asked. */
export type ClientAnswer =
  | { kind: "known" }
  | { kind: "refused" | "unclear"; said: string }
  | { kind: "unreachable"; error: string };

const originOf: Record<Quota, (env: Env) => string | null> = {
  google: ({ GOOGLE_BASE_URL = null }) => GOOGLE_BASE_URL,
  microsoft: ({ MICROSOFT_BASE_URL = null }) => MICROSOFT_BASE_URL,
};
const tokenEndpoint: Record<Quota, (origin: string | null) => string> = {
  google: (origin) => googleEndpoints(origin).token,
  microsoft: (origin) => microsoftEndpoints(origin, "organizations").token,
};

/**
 * Asks for tokens with a made-up code: a provider that knows the client refuses the code (`invalid_grant`), one that
 * doesn't refuses the client (RFC 6749 §5.2). Takes 10 seconds at most.
 */
export async function tryClient(
  provider: Quota,
  { clientId, clientSecret }: OAuthClient,
  env: Env,
): Promise<ClientAnswer> {
  const origin = originOf[provider](env);
  const limits = { trustedOrigins: origin === null ? [] : [origin], deadlineMs: WITHIN_MS, mostBytes: MOST_BYTES };
  const form = {
    ...{ grant_type: "authorization_code", client_id: clientId, client_secret: clientSecret },
    ...{ code: "almanac-doctor", code_verifier: randomBytes(32).toString("base64url") },
    redirect_uri: `${env.APP_URL}/oauth/callback/${provider}`,
  };
  try {
    const { status, body } = await postForm(
      atOrigin(egressFetch(limits), origin),
      tokenEndpoint[provider](origin),
      form,
    );
    return answerOf(status, oauthWordsOf(body));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { kind: "unreachable", error: error.detail };
  }
}

function answerOf(status: number, words: readonly string[]): ClientAnswer {
  const [error = `status ${status}`] = words;
  if (error === "invalid_grant") return { kind: "known" };
  const isRefused = error === "invalid_client" || error === "unauthorized_client";
  return { kind: isRefused ? "refused" : "unclear", said: words.length > 0 ? words.join(", ") : error };
}
