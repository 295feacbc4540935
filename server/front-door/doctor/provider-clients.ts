import { randomBytes } from "node:crypto";
import { egressFetch } from "@/server/egress/fetch";
import { type Env, env } from "@/server/env";
import { type Finding, fail, ok, warn } from "@/server/front-door/doctor/report";
import { atOrigin } from "@/server/providers/at-origin";
import { ProviderError } from "@/server/providers/connector";
import { googleEndpoints } from "@/server/providers/google/endpoints";
import { microsoftEndpoints } from "@/server/providers/microsoft/endpoints";
import { oauthWordsOf, postForm } from "@/server/providers/token-endpoint";

const WITHIN_MS = 10_000;
const MOST_BYTES = 65_536;

interface Client {
  /** Of the variables. */
  prefix: "GOOGLE" | "MICROSOFT";
  name: string;
  path: string;
  tokenOf(origin: string | null): string;
}

const clients: readonly Client[] = [
  { prefix: "GOOGLE", name: "Google", path: "google", tokenOf: (origin) => googleEndpoints(origin).token },
  {
    ...{ prefix: "MICROSOFT", name: "Microsoft", path: "microsoft" },
    tokenOf: (origin) => microsoftEndpoints(origin, "organizations").token,
  },
];

/** Checks the credentials of this service at providers. */
export async function providerClients(): Promise<Finding[]> {
  return await Promise.all(clients.map((client) => checked(client, env())));
}

/**
 * Asks for tokens with a made-up code: a provider that knows the client refuses the code (`invalid_grant`), one that
 * doesn't refuses the client (RFC 6749 §5.2).
 */
async function checked({ prefix, name, path, tokenOf }: Client, env: Env): Promise<Finding> {
  const check = `${name} credentials`;
  const [id, secret] = [env[`${prefix}_CLIENT_ID`], env[`${prefix}_CLIENT_SECRET`]];
  const origin = env[`${prefix}_BASE_URL`] ?? null;
  if (!id || !secret) return ok(check, `Not set up: ${prefix}_CLIENT_ID is not set.`);
  const limits = { trustedOrigins: origin === null ? [] : [origin], deadlineMs: WITHIN_MS, mostBytes: MOST_BYTES };
  const form = {
    ...{ grant_type: "authorization_code", client_id: id, client_secret: secret },
    ...{ code: "almanac-doctor", code_verifier: randomBytes(32).toString("base64url") },
    redirect_uri: `${env.APP_URL}/oauth/callback/${path}`,
  };
  try {
    const { status, body } = await postForm(atOrigin(egressFetch(limits), origin), tokenOf(origin), form);
    return judged({ check, name, prefix, status, words: oauthWordsOf(body) });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return fail(check, `${name} can't be reached (${error.detail}). Check that this machine may connect to it.`);
  }
}

interface Answer {
  check: string;
  name: string;
  prefix: string;
  status: number;
  words: readonly string[];
}

function judged({ check, name, prefix, status, words }: Answer): Finding {
  const [error = `status ${status}`] = words;
  if (error === "invalid_grant") return ok(check, `${name} knows the client and its secret.`);
  const said = words.length > 0 ? words.join(", ") : error;
  if (error !== "invalid_client" && error !== "unauthorized_client")
    return warn(check, `${name}'s response doesn't say whether the secret is right (${said}). Try again later.`);
  const advice = `Create a new secret there, set ${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET, and restart.`;
  return fail(
    check,
    `${name} refuses the client (${said}), so nobody can connect and no calendar is synced. ${advice}`,
  );
}
