export const WHY = "Why did nothing arrive?";

/** Returns the path of an account's timeline around a time, ISO in UTC. Omitted: until now. */
export function timelinePath(accountId: string, around?: string): string {
  const path = `/dashboard/accounts/${encodeURIComponent(accountId)}/timeline`;
  return around === undefined ? path : `${path}?${new URLSearchParams({ around })}`;
}

/** Returns the path of an account's calendars. */
export function calendarsPath(accountId: string): string {
  return `/dashboard/accounts/${encodeURIComponent(accountId)}/calendars`;
}

/** Returns the path of an endpoint, by the ID of its channel. */
export function endpointPath(id: string): string {
  return `/dashboard/endpoints/${encodeURIComponent(id)}`;
}

/** Builds a page's address with one thing in its query: what the list shows, or what is open. */
export function narrowed(path: string, name: string, value: string): string {
  return `${path}?${new URLSearchParams({ [name]: value })}`;
}
