import { fieldName, type Issue } from "@/server/domain/issues";

/**
 * What differs in compatibility mode, worded for the OpenAPI document's introduction. Empty where the schemas document
 * it, or nothing does.
 */
export const compatDifferences = {
  userinfoKeys: ["Userinfo uses different keys for `svc.type` and `svc.data`."],
  hidesAccountOfApplicationCalendar: [
    "`/v1/account` responds to application calendars with 403 and a plain-text message.",
  ],
  hasNoChannelSignature: ["Channels have no `signing_secret`, and notifications no `Svc-Signature`."],
  errors: [
    "Error descriptions are worded differently.",
    "`errors.tzid_unrecognized` replaces `errors.required` and `errors.invalid` for time zones, and `errors.invalid_time_pair` replaces `errors.invalid` for an end before its start.",
  ],
  repeatsTokens: ["Opening an application calendar again returns its current tokens while they are valid."],
  revokesByOtherParameters: [],
  readsBooleansInAnyCase: [],
} as const satisfies Record<string, readonly string[]>;

export type CompatDifference = keyof typeof compatDifferences;

/**
 * Reports whether a difference applies to an application. All code that behaves differently in compatibility mode calls
 * this, and thereby names the difference.
 */
export function differs(_difference: CompatDifference, { compatibilityMode }: { compatibilityMode: boolean }): boolean {
  return compatibilityMode;
}

/**
 * Rewrites an issue for compatibility mode ("Conventions", "Errors"): two different keys, and the sentences that
 * vendor's clients print. Field and path stay.
 */
export function compatIssue(issue: Issue): Issue {
  const isMissingZone = issue.key === "errors.required" && issue.path.at(-1) === "tzid";
  if (issue.reason === "time_zone" || isMissingZone)
    return { ...issue, key: "errors.tzid_unrecognized", description: "tzid not recognized" };
  if (issue.reason === "end_before_start") {
    return { ...issue, key: "errors.invalid_time_pair", description: "end cannot be before start" };
  }
  if (issue.key === "errors.required") return { ...issue, description: `${fieldName(issue.path)} must be specified` };
  return issue;
}

/** Accepts query booleans in any case (`True`), as that vendor's SDKs send them. */
export function compatQueryValue(value: string): string {
  const lower = value.toLowerCase();
  return lower === "true" || lower === "false" ? lower : value;
}
