/** The parts of the identity platform's addresses that say which accounts may sign in. */
export type Tenant = "organizations" | "consumers";

/** Where Microsoft answers for accounts of one kind. */
export interface MicrosoftEndpoints {
  authorization: string;
  token: string;
  discovery: string;
  graph: string;
}

const SIGN_IN = "https://login.microsoftonline.com";
const GRAPH = "https://graph.microsoft.com";

/** Returns the address that issues tokens to the apps of a tenant. */
export function tenantToken(origin: string | null, tenant: string): string {
  return `${origin ?? SIGN_IN}/${tenant}/oauth2/v2.0/token`;
}

/** Returns the addresses at Microsoft's two hosts, or the same paths at one origin in the place of both. */
export function microsoftEndpoints(origin: string | null, tenant: Tenant): MicrosoftEndpoints {
  const signIn = `${origin ?? SIGN_IN}/${tenant}`;
  return {
    authorization: `${signIn}/oauth2/v2.0/authorize`,
    token: tenantToken(origin, tenant),
    discovery: `${signIn}/v2.0/.well-known/openid-configuration`,
    graph: `${origin ?? GRAPH}/v1.0`,
  };
}
