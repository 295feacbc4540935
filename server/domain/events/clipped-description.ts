/**
 * Cuts a description to the provider's limit (in UTF-16 code units; null: none) and ends a longer one with an ellipsis.
 */
export function clippedDescription(description: string, limit: number | null): string {
  if (limit === null || description.length <= limit) return description;
  return `${description.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** Keeps the whole description if what was read is only its beginning, cut to the provider's limit. */
export function wholeDescription(own: string, read: string, limit: number | null): string {
  return clippedDescription(own, limit) === read ? own : read;
}
