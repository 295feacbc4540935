/**
 * Returns the headers of every response. With them, browsers keep to the content type, and a client that came over
 * https returns over https.
 */
export function headersOfAll(isHttps: boolean): Record<string, string> {
  return {
    "X-Content-Type-Options": "nosniff",
    ...(isHttps && { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }),
  };
}
