const AUTH = "https://www.googleapis.com/auth/";
const signIn = ["openid", "email", "profile", `${AUTH}userinfo.email`, `${AUTH}userinfo.profile`];
const calendar = (...names: string[]) => names.map((name) => `${AUTH}calendar${name}`);

/** The scopes that each method accepts: the examples beside each method in @googleapis/calendar's v3.d.ts. */
export const acceptedScopes = {
  readList: calendar("", ".readonly", ".calendarlist", ".calendarlist.readonly"),
  readEvents: calendar(
    ...["", ".readonly", ".events", ".events.readonly", ".events.freebusy", ".events.owned", ".events.owned.readonly"],
  ),
  queryFreeBusy: calendar("", ".readonly", ".freebusy", ".events.freebusy"),
  writeEvents: calendar("", ".events", ".events.owned"),
  stopChannel: calendar(
    ...["", ".readonly", ".calendarlist", ".calendarlist.readonly"],
    ...[".events", ".events.readonly", ".events.freebusy", ".events.owned", ".events.owned.readonly"],
  ),
};

export const knownScopes = new Set([...signIn, ...acceptedScopes.stopChannel, ...acceptedScopes.queryFreeBusy]);

/** [K], guide "Granular OAuth permissions": scopes of sign-in have no checkbox on the consent page. */
export const isSignInScope = (scope: string) => signIn.includes(scope);

/** [K]: token responses name the two short scopes of OpenID Connect by their long names. */
export function grantedName(scope: string): string {
  return scope === "email" || scope === "profile" ? `${AUTH}userinfo.${scope}` : scope;
}

/** Whether these granted scopes include the one, under either of its names. */
export const includesScope = (scopes: string[], scope: string) =>
  scopes.includes(scope) || scopes.includes(grantedName(scope));
