/** Scopes of sign-in: page "Scopes and permissions", OpenID Connect scopes. */
const signInScopes = new Set(["openid", "profile", "email", "offline_access"]);
const GRAPH = "https://graph.microsoft.com/";

/** Permissions of Graph that the fake knows: page "Microsoft Graph permissions reference". */
const permissions = [
  ...["User.Read", "Calendars.ReadBasic", "Calendars.Read", "Calendars.ReadWrite", "Calendars.Read.Shared"],
  ...["Calendars.ReadWrite.Shared", "MailboxSettings.Read", "OnlineMeetings.ReadWrite"],
];

/** The name of a scope without the resource; undefined for one that does not exist. [K]: names have no case. */
export function scopeName(scope: string): string | undefined {
  if (signInScopes.has(scope)) return scope;
  const short = scope.startsWith(GRAPH) ? scope.slice(GRAPH.length) : scope;
  if (short === ".default") return short;
  return permissions.find((name) => name.toLowerCase() === short.toLowerCase());
}

export const isSignInScope = (scope: string) => signInScopes.has(scope);

/** Field `scope` of a token response: offline_access is not in it. [K]: personal accounts get the full names. */
export function shownScopes(scopes: Iterable<string>, kind: "work" | "personal"): string {
  const shown = [...scopes].filter((scope) => scope !== "offline_access");
  return shown.map((scope) => (kind === "personal" && !isSignInScope(scope) ? `${GRAPH}${scope}` : scope)).join(" ");
}

/** What a request needs: the permissions tables of the reference. */
export type Access = "profile" | "settings" | "read" | "write" | "users" | "groups" | "memberships" | "places";

/** One permission of each kind is needed. */
const needed: Record<Access, RegExp[]> = {
  profile: [/^User\.Read\.All$/],
  settings: [/^MailboxSettings\.Read/],
  read: [/^Calendars\.Read/],
  write: [/^Calendars\.ReadWrite/],
  users: [/^User\.Read\.All$/],
  groups: [/^GroupMember\.Read\.All$/],
  // Page "user: checkMemberGroups".
  memberships: [/^User\.Read\.All$/, /^GroupMember\.Read\.All$/],
  places: [/^Place\.Read\.All$/],
};

/** What users need otherwise for themselves. */
const ofUsers: Partial<Record<Access, RegExp[]>> = { profile: [/^User\.Read$/], settings: [/^User\.Read$/] };

/** Whether the scopes of a user's token, or the roles of an application's, suffice. */
export function allows(permissions: ReadonlySet<string>, access: Access, isApplication: boolean): boolean {
  const kinds = (!isApplication && ofUsers[access]) || needed[access];
  return kinds.every((kind) => [...permissions].some((permission) => kind.test(permission)));
}
