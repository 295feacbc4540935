/** The query string of parameters, with its question mark. Arrays are repeated under a name with brackets, as the API reads them. */
export function queryString(parameters: Record<string, unknown>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return Array.isArray(value) ? value.map((item) => [`${name}[]`, String(item)]) : [[name, String(value)]];
  });
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}
