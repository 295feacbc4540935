import { fieldName, type Issue } from "@/server/domain/issues";

/**
 * An issue in the wording of compatibility mode ("Conventions", "Errors"): two keys of its own, other sentences for what
 * that vendor's clients print. Field and path stay.
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

/** Query booleans in any case (`True`), as that vendor's SDKs send them. */
export function compatQueryValue(value: string): string {
  const lower = value.toLowerCase();
  return lower === "true" || lower === "false" ? lower : value;
}
