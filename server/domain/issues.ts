/** The error keys of a 422 response ("Errors"). Clients match on them. */
export type IssueKey =
  | "errors.required"
  | "errors.invalid"
  | "errors.invalid_type"
  | "errors.invalid_format"
  | "errors.invalid_value"
  | "errors.too_small"
  | "errors.too_big"
  | "errors.invalid_json"
  | "errors.invalid_email"
  | "errors.tzid_unrecognized"
  | "errors.invalid_time_pair"
  | "errors.attendees_unsupported"
  | "errors.conferencing_unavailable"
  | "errors.not_supported"
  | "errors.notify_attendees_unsupported"
  | "errors.too_many_attendees"
  | "errors.max_recurrence_rules_exceeded"
  | "errors.not_recognized"
  | "errors.must_be_integer_greater_than_zero"
  | "errors.must_be_date"
  | "errors.not_supported_count_until_combination"
  | "errors.not_recurring"
  | "errors.not_an_occurrence"
  | "errors.is_organizer"
  | "errors.not_a_guest"
  | "errors.invalid_callback_url"
  | "errors.invalid_callback_url_blocked"
  | "errors.too_many_channels";

/** The reason, where compatibility mode words it differently. */
export type IssueReason = "time_zone" | "end_before_start";

export interface Issue {
  path: readonly PropertyKey[];
  key: IssueKey;
  description: string;
  reason?: IssueReason;
}

/**
 * Formats a path as a field name: `location.description`, `calendar_ids[0]`, or `base` for the whole body ("422
 * rules").
 */
export function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "base";
  return path.reduce<string>((name, part) => {
    if (typeof part === "number") return `${name}[${part}]`;
    return name === "" ? String(part) : `${name}.${String(part)}`;
  }, "");
}

/** Builds the documented body: `{ errors: { <field>: [ { key, description } ] } }`. */
export function issuesBody(issues: readonly Issue[]): {
  errors: Record<string, { key: string; description: string }[]>;
} {
  const errors: Record<string, { key: string; description: string }[]> = Object.create(null);
  for (const { path, key, description } of issues) {
    const field = fieldName(path);
    errors[field] ??= [];
    errors[field].push({ key, description });
  }
  return { errors };
}
