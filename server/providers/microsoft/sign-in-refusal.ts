import { waitOf } from "@/server/providers/ask-json";
import { ProviderError, type ProviderFault, type SignInFailure } from "@/server/providers/connector";
import { objectOf } from "@/server/providers/json-values";

/** What the sign-in service says in place of a code or of tokens. */
export interface Refusal {
  /** OAuth's word; empty: none. */
  error: string;
  /** Microsoft's own number; empty: none ("Microsoft Entra authentication and authorization error codes"). */
  code: string;
}

/** An account of a tenant that the endpoint is not for: a personal one at `organizations`, a work one at `consumers`. */
const ofWrongKind = ["50020", "500200", "500208"];
/** An administrator has to consent to the application, to assign the user to it, or to let it into the organization. */
const forAdministrators = ["65001", "90094", "90095", "90099", "50105", "650052", "650057", "7000112"];
const DECLINED = "65004";
/** "The server terminated an operation because it encountered a client request loop": it is over after a while. */
const REQUEST_LOOP = "50196";

/** Of a grant that works no more, until the user signs in again: it was revoked, has ended, or does not satisfy a policy. */
const ended = ["invalid_grant", "interaction_required", "consent_required", "login_required"];
const byError: Record<string, SignInFailure> = {
  access_denied: "denied",
  consent_required: "admin_consent",
  interaction_required: "blocked",
  login_required: "blocked",
};

/** Of the address that a user comes back to. Null: nothing was refused. */
export function refusalIn(query: URLSearchParams): Refusal | null {
  const error = query.get("error");
  return error === null ? null : refusalOf({ error, error_description: query.get("error_description") });
}

/** Of a response of the token endpoint. The number is the first word of the description. */
export function refusalOf(body: unknown): Refusal {
  const { error, error_description } = objectOf(body);
  const [, code = ""] = /^AADSTS(\d{4,10})\b/.exec(String(error_description ?? "").trim()) ?? [];
  return { error: typeof error === "string" && /^\w{1,60}$/.test(error) ? error : "", code };
}

/** Why the user is not connected, if there is something for them to do. Null: it is no matter of theirs. */
export function problemOf({ error, code }: Refusal): SignInFailure | null {
  if (code === DECLINED) return "denied";
  if (ofWrongKind.includes(code)) return "wrong_account";
  if (forAdministrators.includes(code)) return "admin_consent";
  return byError[error] ?? null;
}

/** `status`: of the token endpoint, which may ask to wait. Omitted: the user came back with it. */
export function refusalError(
  { error, code }: Refusal,
  response: { status: number; headers: Headers } | null,
): ProviderError {
  const detail = [error, code && `AADSTS${code}`].filter((part) => part !== "").join("_");
  const wait = response && waitOf({ ...response, body: null });
  return new ProviderError(faultOf({ error, code }, wait), detail || `http_${response?.status ?? "none"}`);
}

function faultOf({ error, code }: Refusal, wait: ProviderFault | null): ProviderFault {
  if (code === REQUEST_LOOP) return { kind: "throttled", after: null, scope: "mailbox" };
  if (ended.includes(error)) return { kind: "credentials_rejected" };
  return wait ?? { kind: "down" };
}
