export const WHY = "Why did nothing arrive?";

/** The page that says what happened to an account around a time, ISO in UTC; omitted: until now. */
export function timelinePath(accountId: string, around?: string): string {
  const path = `/dashboard/accounts/${encodeURIComponent(accountId)}/timeline`;
  return around === undefined ? path : `${path}?${new URLSearchParams({ around })}`;
}

/** The page of an account's calendars. */
export function calendarsPath(accountId: string): string {
  return `/dashboard/accounts/${encodeURIComponent(accountId)}/calendars`;
}
