import { type Account, unexpected } from "@/server/providers/caldav/account";
import { zoneMeant } from "@/server/providers/caldav/icalendar/lenient/zones";
import { needMultistatus } from "@/server/providers/caldav/multistatus";
import { decoded, type Entry, externalIdOf } from "@/server/providers/caldav/multistatus-reader";
import { propfind } from "@/server/providers/caldav/requests";
import { cal, child, childrenOf, cs, dav, type Element } from "@/server/providers/caldav/xml";
import type { RemoteCalendar } from "@/server/providers/connector";

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
 * The account's calendars of events, by one request where they have sync tokens. Throws `gone` when the calendar home no longer
 * exists.
 */
export async function listCalendars(account: Account): Promise<RemoteCalendar[]> {
  if (account.home === null) return [];
  const { entries, url } = await listOf(account, account.home, props);
  const calendars = entries.filter(isCalendar).map(calendarOf);
  const primary = primaryOf(calendars, entries, url);
  const ctags = calendars.every(({ ctag }) => ctag !== null) ? null : await ctagsOf(account, account.home);
  return calendars.map((calendar) => ({
    ...calendar,
    primary: calendar.externalId === primary,
    ctag: calendar.ctag ?? ctags?.get(calendar.externalId) ?? null,
  }));
}

async function listOf(account: Account, home: string, props: readonly string[]) {
  const answer = await account.ask(propfind(home, "1", props));
  if (answer.status !== 207) throw unexpected(answer);
  return { entries: (await needMultistatus(answer)).entries, url: answer.url };
}

/** Requested separately: Radicale reads the whole calendar to compute its ctag, as it does for its sync token. */
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

/** A server that reports no rights is assumed to grant all. */
function isReadonly(privileges: Element | undefined): boolean {
  if (!privileges) return false;
  const held = childrenOf(privileges, dav("privilege")).flatMap(({ children }) => children.map(({ name }) => name));
  return !writing.some((name) => held.includes(name));
}

function primaryOf(calendars: RemoteCalendar[], entries: Entry[], base: string): string | undefined {
  const links = entries.flatMap(({ props }) => {
    const named = props.get(cal("schedule-default-calendar-URL"));
    return named ? childrenOf(named, dav("href")).map(({ text }) => externalIdOf(text, base)) : [];
  });
  const named = calendars.find(({ externalId }) => links.includes(externalId));
  return (named ?? calendars.find(({ readonly }) => !readonly))?.externalId;
}

/** The tz database name in the property calendar-timezone, which contains a VTIMEZONE. Null: none, or an unknown one. */
export function tzidOf(ics: string | null | undefined): string | null {
  const [, tzid] = /^TZID(?:;[^:\r\n]*)?:(.+)$/im.exec(ics ?? "") ?? [];
  return tzid === undefined ? null : (zoneMeant(tzid)?.tzid ?? null);
}

function textOf(props: Entry["props"], name: string): string | null {
  return props.get(name)?.text.trim() || null;
}

function lastSegment(externalId: string): string {
  const segment = externalId.split("/").filter(Boolean).at(-1) ?? "";
  return decoded(segment) ?? segment;
}
