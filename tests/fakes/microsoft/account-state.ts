import { type CalendarState, calendarState } from "./calendar-state";
import type { Grants } from "./grants";
import type { Account, CalendarRecord, World } from "./state";
import { accountOf } from "./state";
import { addAccount, type CalendarInput, createCalendar } from "./world";

/** What the user, an administrator, or the owner of a shared calendar does to an account. */
export interface AccountState {
  email: string;
  oid: string;
  tid: string;
  sub: string;
  /** The default calendar. */
  primary: CalendarState;
  /** Creates a calendar of the account. Returns its id. */
  addCalendar(input: Omit<CalendarInput, "isDefault">): string;
  /** Somebody shares a calendar with the account: it appears in the list. Returns its id. */
  addSharedCalendar(input: Omit<CalendarInput, "isDefault"> & { owner: string }): string;
  /** The calendar is deleted, or no longer shared: it leaves the list, and its events are 404. */
  removeCalendar(calendarId: string): void;
  /** Whether the account may write to the calendar. */
  setEditable(calendarId: string, canEdit: boolean): void;
  /** Properties of the calendar. */
  changeCalendar(
    calendarId: string,
    changes: Partial<Pick<CalendarRecord, "name" | "color" | "hexColor" | "providers" | "defaultProvider">>,
  ): void;
  /** Refreshing tokens fails with this AADSTS number, until the user signs in again or `recover`. */
  failRefresh(code: number): void;
  /** Access tokens that were issued until now get a claims challenge; refreshing works unless it fails too. */
  challenge(): void;
  recover(): void;
  /** An administrator blocks the user's sign-in: refreshing gets AADSTS50057. The mailbox stays. */
  disable(): void;
  enable(): void;
  /** The mailbox is gone: its license ended. */
  removeMailbox(): void;
}

/** The verbs of an account. */
export function accountState(world: World, grants: Grants, account: Account): AccountState {
  const entry = (id: string) => {
    const found = account.list.find(({ calendar }) => calendar.id === id);
    if (!found) throw new Error(`The calendar ${id} is not in the list of ${account.email}.`);
    return found;
  };
  const byDefault = () =>
    account.list.find(({ calendar }) => calendar.isDefault && calendar.owner === account)?.calendar;

  return {
    email: account.email,
    oid: account.oid,
    tid: account.tid,
    sub: account.sub,
    get primary() {
      const calendar = byDefault();
      if (!calendar) throw new Error(`${account.email} has no mailbox.`);
      return calendarState(world, calendar);
    },
    addCalendar: (input) => createCalendar(world, account, input).id,
    addSharedCalendar({ owner, canEdit = false, ...input }) {
      const person = accountOf(world, owner) ?? addAccount(world, { email: owner });
      const calendar = createCalendar(world, person, input);
      account.list.push({ calendar, canEdit });
      return calendar.id;
    },
    removeCalendar(id) {
      account.list.splice(account.list.indexOf(entry(id)), 1);
    },
    setEditable(id, canEdit) {
      entry(id).canEdit = canEdit;
    },
    changeCalendar(id, changes) {
      Object.assign(entry(id).calendar, changes, { version: world.nextVersion() });
    },
    failRefresh: (code) => void grants.trouble.set(account, { ...grants.trouble.get(account), code }),
    challenge: () => void grants.trouble.set(account, { ...grants.trouble.get(account), challengedSince: world.now() }),
    recover: () => void grants.trouble.delete(account),
    disable() {
      account.isEnabled = false;
    },
    enable() {
      account.isEnabled = true;
    },
    removeMailbox() {
      account.hasMailbox = false;
      account.list.length = 0;
    },
  };
}
