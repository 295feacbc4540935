import { type Account, CONSUMERS } from "./state";

/** Whether an account may sign in at a tenant: page "v2.0 protocols", table of the {tenant} values. */
export function admits(tenant: string, { kind, tid }: Account): boolean {
  if (tenant === "common") return true;
  if (tenant === "organizations") return kind === "work";
  if (tenant === "consumers" || tenant === CONSUMERS) return kind === "personal";
  return tid === tenant;
}

/** The number that an account of the wrong kind meets there: 500200 for a personal one, 50020 for one of another tenant. */
export const wrongKindCode = (tenant: string, { kind }: Account) =>
  kind === "personal" && tenant !== "consumers" ? 500200 : 50020;

/** A path segment that can be a tenant. */
export const TENANT = "(organizations|consumers|common|[0-9a-f]{8}-[0-9a-f-]{27})";

/** The issuer of a tenant's tokens. The documents of common and organizations have a template instead: page "OpenID Connect". */
export function issuerOf(origin: string, tenant: string): string {
  if (tenant === "common" || tenant === "organizations") return `${origin}/{tenantid}/v2.0`;
  return `${origin}/${tenant === "consumers" ? CONSUMERS : tenant}/v2.0`;
}
