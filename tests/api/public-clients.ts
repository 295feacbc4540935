import { createHash, randomBytes } from "node:crypto";
import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { registerApplication } from "@/server/store/applications/register";
import { connectAccount, issueCode, REDIRECT_URI } from "./grants";
import { type ApiResponse, type Application, call } from "./service";

/** A public client. Its secret is empty, unless it has one. */
export async function newPublicClient(
  given: { clientSecret?: string; redirectUris?: string[]; compatibilityMode?: boolean } = {},
): Promise<Application> {
  const clientId = `public_${randomBytes(8).toString("hex")}`;
  const { clientSecret = null, redirectUris = [REDIRECT_URI], compatibilityMode = false } = given;
  const settings = { name: "Native", plan: "standard" as const, compatibilityMode, publicClient: true };
  await registerApplication(db(), { ...settings, clientId, clientSecret, redirectUris }, clock().now());
  return { clientId, clientSecret: clientSecret ?? "" };
}

export function newVerifier() {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** POST /oauth/token with the client id alone. */
export function publicToken({ clientId }: Application, fields: Record<string, unknown>): Promise<ApiResponse> {
  return call("POST", "/oauth/token", { json: { client_id: clientId, ...fields } });
}

export function publicRefresh(application: Application, refresh_token: string): Promise<ApiResponse> {
  return publicToken(application, { grant_type: "refresh_token", refresh_token });
}

/** An account of a public client that exchanged a code, and its first tokens. */
export async function connectedPublicly(
  application: Application,
  account?: Awaited<ReturnType<typeof connectAccount>>,
) {
  const connected = account ?? (await connectAccount(application));
  const { verifier, challenge } = newVerifier();
  const code = await issueCode(application, connected, { challenge });
  const { json } = await publicToken(application, {
    ...{ grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, code_verifier: verifier },
  });
  return { ...connected, accessToken: json.access_token as string, refreshToken: json.refresh_token as string };
}
