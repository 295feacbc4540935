/** Escapes a text for a LIKE pattern, in which it then stands only for itself. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** Returns a LIKE pattern for text that begins so. */
export function prefixPattern(text: string): string {
  return `${escapeLike(text)}%`;
}
