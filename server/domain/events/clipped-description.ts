/** A description as a provider with such a limit (in UTF-16 code units; null: none) keeps it: a longer one ends with an ellipsis. */
export function clippedDescription(description: string, limit: number | null): string {
  if (limit === null || description.length <= limit) return description;
  return `${description.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** What was read is the beginning of a description that is too long for its provider: then it is the whole one still. */
export function wholeDescription(own: string, read: string, limit: number | null): string {
  return clippedDescription(own, limit) === read ? own : read;
}
