/** What every response carries: nothing is taken for another type than it says, and whoever came over https comes back so. */
export function headersOfAll(isHttps: boolean): Record<string, string> {
  return {
    "X-Content-Type-Options": "nosniff",
    ...(isHttps && { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }),
  };
}
