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

/** Whether scopes let a client read, or write, events: the permissions tables of the reference. */
export function allows(scopes: ReadonlySet<string>, access: "profile" | "read" | "write"): boolean {
  if (access === "profile") return scopes.has("User.Read");
  const needed = access === "write" ? /^Calendars\.ReadWrite/ : /^Calendars\.Read/;
  return [...scopes].some((scope) => needed.test(scope));
}
