import { percentDecoded } from "@/server/domain/text";
import { type Account, unexpected } from "@/server/providers/caldav/account";
import { zoneMeant } from "@/server/providers/caldav/icalendar/lenient/zones";
import { invitesGuests } from "@/server/providers/caldav/invites-guests";
import { needMultistatus } from "@/server/providers/caldav/multistatus";
import type { Entry } from "@/server/providers/caldav/multistatus-reader";
import { propfind } from "@/server/providers/caldav/requests";
import { cal, child, childrenOf, cs, dav, type Element } from "@/server/providers/caldav/xml";
import { ProviderError, type RemoteCalendar } from "@/server/providers/connector";

const props = [
  dav("resourcetype"),
  dav("displayname"),
  dav("sync-token"),
  dav("current-user-privilege-set"),
  cal("supported-calendar-component-set"),
  cal("calendar-timezone"),
  cal("schedule-default-calendar-URL"),
];
const writing = [dav("all"), dav("write"), dav("write-content"), dav("bind")];

/**
 * Gives the account's calendars of events in all its homes, by one request for each where they have sync tokens. Throws `gone` when the first
 * calendar home no longer exists.
 */
export async function listCalendars(account: Account): Promise<RemoteCalendar[]> {
  if (account.home === null) return [];
  const [first, ...more] = await Promise.all([
    listHome(account, account.home),
    ...(account.moreHomes ?? []).map((home) => listHome(account, home).catch(orNone)),
  ]);
  const listed = new Map([...more.flat(), ...first].map((calendar) => [calendar.externalId, calendar]));
  const [primary] = first.filter((calendar) => calendar.primary);
  return [...listed.values()].map((calendar) => ({ ...calendar, primary: calendar === primary }));
}

/**
 * Returns no calendars for a home that is gone, because a home that others share may no longer exist. Throws all other
 * errors.
 */
function orNone(error: unknown): RemoteCalendar[] {
  if (error instanceof ProviderError && error.fault.kind === "gone") return [];
  throw error;
}

async function listHome(account: Account, home: string): Promise<RemoteCalendar[]> {
  const { entries, url, headers } = await listOf(account, home, props);
  const calendars = entries.filter(isCalendar).map(calendarOf);
  const primary = primaryOf(calendars, entries, (href) => account.idOf(href, url));
  const ctags = calendars.every(({ ctag }) => ctag !== null) ? null : await ctagsOf(account, home);
  const invites = calendars.length === 0 ? null : await invitesGuests(account, { home, headers, entries });
  return calendars.map((calendar) => ({
    ...calendar,
    invites,
    primary: calendar.externalId === primary,
    ctag: calendar.ctag ?? ctags?.get(calendar.externalId) ?? null,
  }));
}

async function listOf(account: Account, home: string, props: readonly string[]) {
  const answer = await account.ask(propfind(home, "1", props));
  if (answer.status !== 207) throw unexpected(answer);
  return { entries: (await needMultistatus(answer)).entries, url: answer.url, headers: answer.headers };
}

/**
 * Requests the ctags in a separate request, because Radicale reads the whole calendar to compute its ctag, as it does
 * for its sync token.
 */
async function ctagsOf(account: Account, home: string): Promise<Map<string, string | null>> {
  const { entries } = await listOf(account, home, [cs("getctag")]);
  return new Map(entries.map(({ externalId, props }) => [externalId, textOf(props, cs("getctag"))]));
}

function isCalendar({ props }: Entry): boolean {
  const type = props.get(dav("resourcetype"));
  if (!type || !child(type, cal("calendar")) || child(type, cs("subscribed"))) return false;
  const components = props.get(cal("supported-calendar-component-set"));
  // None are listed: all are allowed (RFC 4791 §5.2.3).
  if (!components || components.children.length === 0) return true;
  return childrenOf(components, cal("comp")).some(({ attributes }) => attributes.name?.toUpperCase() === "VEVENT");
}

function calendarOf({ externalId, props }: Entry): RemoteCalendar {
  return {
    externalId,
    name: textOf(props, dav("displayname")) ?? lastSegment(externalId),
    readonly: isReadonly(props.get(dav("current-user-privilege-set"))),
    primary: false,
    integratedConferencing: false,
    tzid: tzidOf(textOf(props, cal("calendar-timezone"))),
    ctag: textOf(props, dav("sync-token")),
  };
}

/** Reports whether a calendar can't be written. A server that reports no rights is assumed to grant all. */
function isReadonly(privileges: Element | undefined): boolean {
  if (!privileges) return false;
  const held = childrenOf(privileges, dav("privilege")).flatMap(({ children }) => children.map(({ name }) => name));
  return !writing.some((name) => held.includes(name));
}

function primaryOf(
  calendars: RemoteCalendar[],
  entries: Entry[],
  idOf: (href: string) => string | null,
): string | undefined {
  const links = entries.flatMap(({ props }) => {
    const named = props.get(cal("schedule-default-calendar-URL"));
    return named ? childrenOf(named, dav("href")).map(({ text }) => idOf(text)) : [];
  });
  const named = calendars.find(({ externalId }) => links.includes(externalId));
  return (named ?? calendars.find(({ readonly }) => !readonly))?.externalId;
}

/** Gives the tz database name in the property calendar-timezone, which contains a VTIMEZONE. Null: none, or an unknown one. */
export function tzidOf(ics: string | null | undefined): string | null {
  const [, tzid] = /^TZID(?:;[^:\r\n]*)?:(.+)$/im.exec(ics ?? "") ?? [];
  return tzid === undefined ? null : (zoneMeant(tzid)?.tzid ?? null);
}

function textOf(props: Entry["props"], name: string): string | null {
  return props.get(name)?.text.trim() || null;
}

function lastSegment(externalId: string): string {
  const segment = externalId.split("/").filter(Boolean).at(-1) ?? "";
  return percentDecoded(segment) ?? segment;
}
