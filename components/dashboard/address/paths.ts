export const WHY = "Why did nothing arrive?";

export type AccountTab = "" | "timeline" | "calendars" | "deliveries" | "requests";

/** Returns the path of an account, or of one of its tabs. */
export function accountPath(id: string, tab: AccountTab = ""): string {
  const path = `/dashboard/accounts/${encodeURIComponent(id)}`;
  return tab === "" ? path : `${path}/${tab}`;
}

/** Returns the path of an account's timeline around a time, ISO in UTC. Omitted: until now. */
export function timelinePath(accountId: string, around?: string): string {
  const path = accountPath(accountId, "timeline");
  return around === undefined ? path : `${path}?${new URLSearchParams({ around })}`;
}

/** Returns the path of an account's calendars. */
export function calendarsPath(accountId: string): string {
  return accountPath(accountId, "calendars");
}

/** Returns the path of a day in a calendar. */
export function dayPath(accountId: string, { calendar, day }: { calendar: string; day: string }): string {
  return `${calendarsPath(accountId)}?${new URLSearchParams({ calendar, day })}#day`;
}

/** Returns the path of an endpoint, by the ID of its channel. */
export function endpointPath(id: string): string {
  return `/dashboard/endpoints/${encodeURIComponent(id)}`;
}

/** Returns the path of an event, by its uid. */
export function eventPath(uid: string): string {
  return `/dashboard/events/${encodeURIComponent(uid)}`;
}

/** Builds a page's address with one thing in its query: what the list shows, or what is open. */
export function narrowed(path: string, name: string, value: string): string {
  return `${path}?${new URLSearchParams({ [name]: value })}`;
}
