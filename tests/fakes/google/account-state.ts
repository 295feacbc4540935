import { type CalendarState, calendarState } from "./calendar-state";
import type { AccessRole, Account, CalendarRecord, ListEntry, World } from "./state";
import { type CalendarInput, createCalendar, subscribe } from "./world";

/** What the user, or the owner of a calendar that is shared with the user, does to the calendars of an account. */
export interface AccountState {
  email: string;
  sub: string;
  /** The primary calendar. */
  primary: CalendarState;
  /** Creates a calendar of the account. Returns its id. */
  addCalendar(input: Omit<CalendarInput, "owner" | "primary">): string;
  /** Someone shares a calendar of another account; it appears in the list. Returns its id. */
  addSharedCalendar(input: Omit<CalendarInput, "primary"> & { accessRole: AccessRole }): string;
  /** The calendar is deleted, or no longer shared: it leaves the list, and its events are 404. */
  removeCalendar(calendarId: string): void;
  /** The user unsubscribes: the calendar leaves the list, and its events can still be read. */
  unsubscribe(calendarId: string): void;
  subscribe(calendarId: string): void;
  /** Another role. Sync tokens of the account for it expire; the incremental calendar list does not show it. */
  changeAccess(calendarId: string, accessRole: AccessRole): void;
  /** What the user sets for the entry in the list. */
  changeEntry(calendarId: string, changes: Partial<Pick<ListEntry, "hidden" | "selected" | "summaryOverride">>): void;
  /** Properties of the calendar; the incremental calendar list does not show them. */
  changeCalendar(
    calendarId: string,
    changes: Partial<Pick<CalendarRecord, "summary" | "timeZone" | "conferenceTypes">>,
  ): void;
  /** All sync tokens of the calendar list expire. */
  expireListSyncTokens(): void;
  /** An administrator suspends the user: no token of the user works, and no new one is issued. */
  suspend(): void;
  /** The administrator restores the user. */
  restore(): void;
  /** An administrator turns Google Calendar off for the user. */
  removeCalendarService(): void;
}

/** The verbs of an account. */
export function accountState(world: World, account: Account): AccountState {
  const calendarOf = (id: string) => {
    const calendar = world.calendars.get(id);
    if (!calendar) throw new Error(`The fake has no calendar ${id}.`);
    return calendar;
  };

  function changeEntry(id: string, changes: Partial<ListEntry>): void {
    const entry = account.list.get(id);
    if (!entry) throw new Error(`The calendar ${id} is not in the list of ${account.email}.`);
    account.list.set(id, { ...entry, ...changes, version: world.nextVersion() });
    world.changed({ listOf: account.sub });
  }

  /** The sync guide: tokens are invalidated by "changes in related ACLs". */
  function setAccess(id: string, role: AccessRole | undefined): void {
    const calendar = calendarOf(id);
    if (role) calendar.access.set(account.sub, role);
    else calendar.access.delete(account.sub);
    calendar.syncFloors.set(account.sub, world.nextVersion());
  }

  return {
    email: account.email,
    sub: account.sub,
    primary: calendarState(world, calendarOf(account.email)),
    addCalendar: (input) => createCalendar(world, { ...input, owner: account.email }).id,
    addSharedCalendar({ accessRole, ...input }) {
      const { id } = createCalendar(world, input);
      calendarOf(id).access.set(account.sub, accessRole);
      subscribe(world, account, id);
      return id;
    },
    removeCalendar(id) {
      setAccess(id, undefined);
      changeEntry(id, { deleted: true });
    },
    unsubscribe: (id) => changeEntry(id, { deleted: true }),
    subscribe: (id) => subscribe(world, account, id),
    changeAccess: setAccess,
    changeEntry,
    changeCalendar: (id, changes) => void Object.assign(calendarOf(id), changes),
    expireListSyncTokens() {
      account.listSyncFloor = world.nextVersion();
    },
    suspend() {
      account.isSuspended = true;
    },
    restore() {
      account.isSuspended = false;
    },
    removeCalendarService() {
      account.hasCalendar = false;
    },
  };
}
