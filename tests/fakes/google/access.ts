import { knownErrors } from "./errors";
import { type AccessRole, type Account, type CalendarRecord, domainOf, type World } from "./state";

/** An account that looks at a calendar. */
export interface Viewer {
  account: Account;
  calendar: CalendarRecord;
  role: AccessRole;
}

/** The calendar of a path; "primary" is the account's own. 404 for what the account may not see. */
export function viewerOf(world: World, account: Account, calendarId: string): Viewer {
  const calendar = world.calendars.get(calendarId === "primary" ? account.email : calendarId);
  const role = calendar && (calendar.access.get(account.sub) ?? roleInRoom(account, calendar));
  // The guide "Handle API errors", 404: also "when accessing a calendar that the user can not access".
  if (!calendar || !role) throw knownErrors.notFound();
  return { account, calendar, role };
}

/** [K]: administrators own the calendars of their organization's resources, and everyone else there sees when they are taken. */
function roleInRoom(account: Account, { resource }: CalendarRecord): AccessRole | undefined {
  if (resource?.domain !== domainOf(account)) return undefined;
  return account.isAdmin ? "owner" : "freeBusyReader";
}

/** Roles with "write access to the calendar": field `accessRole`. */
export const canWrite = (role: AccessRole) => ["owner", "writer", "writerWithoutPrivateAccess"].includes(role);

/** The same, but 403 for those who may only read. */
export function writerOf(world: World, account: Account, calendarId: string): Viewer {
  const viewer = viewerOf(world, account, calendarId);
  if (!canWrite(viewer.role)) throw knownErrors.requiredAccessLevel();
  return viewer;
}
