import type { OAuthClient, OAuthSignIn } from "@/server/providers/connector";

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
