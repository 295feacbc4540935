import { z } from "zod";
import type { OAuthClient, OAuthSignIn } from "@/server/providers/connector";

/** A refresh token that was issued to an application's own client, as the credential of its profile says it. */
export interface OwnGrant {
  /** The id of the client's row. */
  client: string;
  refreshToken: string;
}

const credential = z.object({ client: z.string(), refreshToken: z.string() });

/** Writes the credential of a profile that was connected by an application's own client. */
export function ownCredential({ client, refreshToken }: OwnGrant): string {
  return JSON.stringify({ client, refreshToken } satisfies OwnGrant);
}

/** Reads it back. Null: the credential is another. */
export function ownGrant(text: string): OwnGrant | null {
  return text.startsWith('{"client":') ? credential.parse(JSON.parse(text)) : null;
}

/** Returns the part of a credential that the provider knows. */
export function providerCredential(text: string): string {
  return ownGrant(text)?.refreshToken ?? text;
}

/** Creates a sign-in that other clients can take, each with what was learned for it before. */
export function signInOf(usual: OAuthClient, create: (client: OAuthClient) => Omit<OAuthSignIn, "as">): OAuthSignIn {
  const known = new Map<string, OAuthSignIn>();
  const as = ({ clientId, clientSecret }: OAuthClient): OAuthSignIn => {
    const key = JSON.stringify([clientId, clientSecret]);
    const signIn = known.get(key) ?? { ...create({ clientId, clientSecret }), as };
    known.set(key, signIn);
    return signIn;
  };
  return as(usual);
}
