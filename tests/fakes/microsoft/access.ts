import { knownErrors } from "./errors";
import { isIdOf, occurrenceParts } from "./ids";
import { hasDate, type Item } from "./occurrences";
import {
  type Account,
  type CalendarRecord,
  changeKeyOf,
  etagOf,
  type ListEntry,
  type StoredEvent,
  type World,
} from "./state";

/** A calendar in the list of an account; "" and "default" are the default one. 404 for what the account may not see. */
export function entryOf(account: Account, id: string): ListEntry {
  if (!account.hasMailbox) throw knownErrors.mailboxNotEnabled();
  const isDefault = ({ calendar }: ListEntry) => calendar.isDefault && calendar.owner === account;
  const entry = account.list.find((one) => (id === "" ? isDefault(one) : one.calendar.id === id));
  if (!entry) throw knownErrors.itemNotFound();
  return entry;
}

/** The calendar of an id, or without one every calendar of the account's own mailbox. */
export function calendarsOf(account: Account, calendarId?: string): CalendarRecord[] {
  if (!account.hasMailbox) throw knownErrors.mailboxNotEnabled();
  if (calendarId !== undefined) return [entryOf(account, calendarId).calendar];
  return account.list.map(({ calendar }) => calendar).filter(({ owner }) => owner === account);
}

/**
 * The event or the occurrence of an id. Without a calendar only the mailbox of the account is searched: events of a shared calendar are
 * found through the calendar alone [R OpenWhispr/openwhispr#1835].
 */
export function itemOf(world: World, account: Account, id: string, calendarId?: string): Item {
  const found = calendarsOf(account, calendarId)
    .map((calendar) => itemIn(world, calendar, id))
    .find((one) => one !== undefined);
  if (!found) throw knownErrors.itemNotFound();
  return found;
}

/** Ids are compared byte by byte. */
export function itemIn(world: World, calendar: CalendarRecord, id: string): Item | undefined {
  const direct = calendar.events.get(id);
  if (direct) return { event: direct };
  const parts = occurrenceParts(id);
  for (const event of calendar.events.values()) {
    if (isIdOf(event, id)) return { event };
    if (!parts || ![event.id, event.immutableId].some((one) => one.replace(/=+$/, "") === parts.stem)) continue;
    const isThere = hasDate(world.knobs, event, parts.date) && !event.cancelled.has(parts.date);
    return isThere ? { event, date: parts.date } : undefined;
  }
  return undefined;
}

/** 403 for who may only read the calendar. */
export function checkEditable(account: Account, calendar: CalendarRecord): void {
  if (!entryOf(account, calendar.id).canEdit) throw knownErrors.accessDenied();
}

/** The version of what an id names: an occurrence has that of its series until it differs. */
export function versionOf({ event, date }: Item): number {
  return (date !== undefined && event.exceptions.get(date)?.version) || event.version;
}

/** Page "Error responses", 412: the etag of If-Match, or the change key in the body, is not the current one. */
export function checkVersion(item: Item, ifMatch: string | undefined, changeKey?: unknown): void {
  const version = versionOf(item);
  const accepted = ["*", etagOf(version), etagOf(version).slice(2), changeKeyOf(version)];
  if (ifMatch !== undefined && !accepted.includes(ifMatch)) throw knownErrors.irresolvableConflict();
  if (changeKey !== undefined && changeKey !== changeKeyOf(version)) throw knownErrors.irresolvableConflict();
}

/** Type Event, isOrganizer: "Set to true if the calendar owner … is the organizer of the event". */
export function isOrganizer({ organizer, calendar }: StoredEvent): boolean {
  return organizer.emailAddress?.address?.toLowerCase() === calendar.owner.email.toLowerCase();
}
