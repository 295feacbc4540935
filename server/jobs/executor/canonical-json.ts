/**
 * The canonical form of a JSON value, exactly as the SDK makes it (canonicalize 1.0.8) to verify a signature: keys in order.
 * The newer canonicalize refuses half a surrogate pair, which an event may hold.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  const fields = value as Record<string, unknown>;
  // The SDK takes any value that has a "toJSON" for one that knows its own form.
  if (fields.toJSON !== undefined && fields.toJSON !== null) return JSON.stringify(value);
  const parts = Object.keys(fields)
    .sort()
    .filter((key) => fields[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(fields[key])}`);
  return `{${parts.join(",")}}`;
}
