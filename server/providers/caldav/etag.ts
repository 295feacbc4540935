/** Gives an etag in one spelling for headers and properties, because servers forget the quotes in either. Null: there is none. */
export function etagOf(text: string | null | undefined): string | null {
  const etag = text?.trim();
  if (!etag) return null;
  return /^(?:W\/)?".*"$/.test(etag) ? etag : `"${etag.replaceAll('"', "")}"`;
}

/** Tells whether an etag is strong, which promises that the resource is byte for byte what was written (RFC 9110 §8.8.1). */
export function isStrong(etag: string | null): etag is string {
  return etag !== null && !etag.startsWith("W/");
}
