/** The host that a callback URL's deliveries are counted at, with its port where that is not the scheme's own. */
export function hostOf(callbackUrl: string): string {
  return new URL(callbackUrl).host.replace(/\.(?=:|$)/, "");
}

/**
 * Where a channel's notifications go, for lists and exports: host and path of its callback URL, `hooks.acme.io/calendar`. The query and the
 * fragment are omitted, since receivers keep secrets there.
 */
export function endpointOf(callbackUrl: string): string {
  const [, host = "", path = ""] = /^[^:]*:\/\/([^/?#]*)([^?#]*)/.exec(callbackUrl) ?? [];
  return `${host.toLowerCase().replace(/\.?(:443)?$/, "")}${path === "/" ? "" : path}`;
}
