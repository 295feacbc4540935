/**
 * An endpoint is failing after this many failed attempts in a row, of any deliveries: one failure is a hiccup, and the
 * third comes a minute later.
 */
export const FAILING_AFTER = 3;

/**
 * Returns the host under which a callback URL's deliveries are counted, with its port unless it is the scheme's
 * default.
 */
export function hostOf(callbackUrl: string): string {
  return new URL(callbackUrl).host.replace(/\.(?=:|$)/, "");
}

/**
 * Shortens a callback URL to host and path for lists and exports: `hooks.acme.io/calendar`. Query and fragment are
 * omitted, since receivers keep secrets there.
 */
export function endpointOf(callbackUrl: string): string {
  const [, host = "", path = ""] = /^[^:]*:\/\/([^/?#]*)([^?#]*)/.exec(callbackUrl) ?? [];
  return `${host.toLowerCase().replace(/\.?(:443)?$/, "")}${path === "/" ? "" : path}`;
}
