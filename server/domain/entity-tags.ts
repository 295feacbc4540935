const WEAK = "W/";

/**
 * Reports whether an If-Match header lets a write through: it names the current entity tag, or `*` (RFC 9110 §13.1.1).
 * A weak tag never matches. Null: there is no such header.
 */
export function isMatch(header: string | null, current: string): boolean {
  return header === null || tagsIn(header).some((tag) => tag === "*" || tag === current);
}

/** Reports whether an If-None-Match header names the current entity tag, weak or strong, or `*` (RFC 9110 §13.1.2). */
export function isKnownTag(header: string | null, current: string): boolean {
  return header !== null && tagsIn(header).some((tag) => tag === "*" || withoutWeakness(tag) === current);
}

/** Reports whether an If-Match header names a state, and not any. */
export function namesTag(header: string | null): boolean {
  return header !== null && !tagsIn(header).includes("*");
}

function withoutWeakness(tag: string): string {
  return tag.startsWith(WEAK) ? tag.slice(WEAK.length) : tag;
}

/** Splits a list of entity tags. Ours contain no commas. */
function tagsIn(header: string): string[] {
  return header.split(",").map((tag) => tag.trim());
}
