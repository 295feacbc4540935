import type { SignInFailure } from "@/server/providers/connector";
import { oauthWordsOf } from "@/server/providers/token-endpoint";

/** An account of a tenant that the endpoint is not for: a personal one at `organizations`, a work one at `consumers`. */
const ofWrongKind = ["AADSTS50020", "AADSTS500200", "AADSTS500208"];
/** An administrator has to consent to the application, to assign the user to it, or to let it into the organization. */
const forAdministrators = [
  ...["AADSTS65001", "AADSTS90094", "AADSTS90095", "AADSTS90099"],
  ...["AADSTS50105", "AADSTS650052", "AADSTS650057", "AADSTS7000112"],
];
const DECLINED = "AADSTS65004";

const byError: Record<string, SignInFailure> = {
  access_denied: "denied",
  consent_required: "admin_consent",
  interaction_required: "blocked",
  login_required: "blocked",
};

/** Gives the words of the address that a user comes back to ("Microsoft Entra authentication and authorization error codes"). Null: nothing was refused. */
export function wordsIn(query: URLSearchParams): string[] | null {
  const error = query.get("error");
  return error === null ? null : oauthWordsOf({ error, error_description: query.get("error_description") });
}

/**
 * Determines why the user is not connected, if there is something for them to do. Returns null if it is no matter of
 * theirs.
 */
export function problemOf(words: readonly string[]): SignInFailure | null {
  const [error = ""] = words;
  if (words.includes(DECLINED)) return "denied";
  if (words.some((word) => ofWrongKind.includes(word))) return "wrong_account";
  if (words.some((word) => forAdministrators.includes(word))) return "admin_consent";
  return byError[error] ?? null;
}
