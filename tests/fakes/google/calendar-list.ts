import { createHash } from "node:crypto";
import { invalid, knownErrors, type WireResponse } from "./errors";
import { chosen, type Keyed, page, sortable } from "./paging";
import { flag, integer } from "./request";
import type { AccessRole, Account, ListEntry, World } from "./state";

const DEFAULT_PAGE = 100;
const LARGEST_PAGE = 250;
const roles: AccessRole[] = ["freeBusyReader", "reader", "writerWithoutPrivateAccess", "writer", "owner"];

/** calendarList.list. */
export function listCalendars(world: World, account: Account, query: URLSearchParams): WireResponse {
  checkQuery(query);
  const asked = integer(query, "maxResults", 1) ?? DEFAULT_PAGE;
  const listing = {
    of: `list ${account.sub}`,
    // showDeleted and showHidden make no difference to an incremental list.
    parameters: chosen(query, ["minAccessRole", "showOwnOrganizationOnly"]),
    query,
    floor: account.listSyncFloor,
    pageSize: Math.min(asked, LARGEST_PAGE, world.knobs.pageSize ?? LARGEST_PAGE),
    isSyncable: !query.has("minAccessRole") && !query.has("showOwnOrganizationOnly"),
  };
  const found = page(world, listing, (since) => keyed(wanted(world, account, query, since)));
  const items = found.items.map((entry) => calendarListEntry(world, account, entry));
  const etag = `"p${sortable(world.version())}"`;
  return { status: 200, body: { kind: "calendar#calendarList", etag, ...found, items } };
}

/** calendarList.get. */
export function getListEntry(world: World, account: Account, calendarId: string): WireResponse {
  const entry = account.list.get(calendarId === "primary" ? account.email : calendarId);
  if (!entry || entry.deleted) throw knownErrors.notFound();
  return { status: 200, body: calendarListEntry(world, account, entry) };
}

const keyed = (entries: ListEntry[]): Keyed<ListEntry>[] =>
  entries.map((item) => ({ key: sortable(item.position), item }));

/** Field `syncToken` of calendarList.list. */
function checkQuery(query: URLSearchParams): void {
  const minimum = query.get("minAccessRole");
  if (minimum !== null && !roles.includes(minimum as AccessRole)) throw invalid("Invalid minAccessRole.");
  if (!query.has("syncToken")) return;
  const forbidden = ["minAccessRole", "showOwnOrganizationOnly"].find((name) => query.has(name));
  if (forbidden) throw invalid(`Sync token cannot be used with ${forbidden}.`);
  const switchedOff = ["showDeleted", "showHidden"].find((name) => query.get(name) === "false");
  if (switchedOff) throw invalid(`Sync token cannot be used with ${switchedOff}=false.`);
}

function wanted(world: World, account: Account, query: URLSearchParams, since: number | null): ListEntry[] {
  const entries = [...account.list.values()];
  // "All entries deleted and hidden since the previous list request will always be in the result set."
  if (since !== null) return entries.filter(({ version }) => version > since);
  const least = roles.indexOf((query.get("minAccessRole") ?? "freeBusyReader") as AccessRole);
  return entries.filter(
    ({ deleted, hidden, calendarId }) =>
      (!deleted || flag(query, "showDeleted")) &&
      (!hidden || flag(query, "showHidden")) &&
      (deleted || roles.indexOf(world.calendars.get(calendarId)?.access.get(account.sub) ?? "freeBusyReader") >= least),
  );
}

function calendarListEntry(world: World, account: Account, entry: ListEntry): object {
  const content = entry.deleted ? { id: entry.calendarId, deleted: true } : present(world, account, entry);
  const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  return { kind: "calendar#calendarListEntry", etag: `"${BigInt(`0x${digest.slice(0, 12)}`)}"`, ...content };
}

function present(world: World, account: Account, entry: ListEntry): object {
  const calendar = world.calendars.get(entry.calendarId);
  if (!calendar) throw new Error(`The calendar ${entry.calendarId} is in a list but does not exist.`);
  const { id, summary, description, timeZone, primary, owner, conferenceTypes, defaultReminders } = calendar;
  return {
    id,
    summary,
    ...(description !== undefined && { description }),
    timeZone,
    ...(entry.summaryOverride !== undefined && { summaryOverride: entry.summaryOverride }),
    colorId: "14",
    backgroundColor: "#9fe1e7",
    foregroundColor: "#000000",
    // "The attribute is only returned when the calendar is hidden, in which case the value is true."
    ...(entry.hidden && { hidden: true }),
    ...(entry.selected && { selected: true }),
    accessRole: calendar.access.get(account.sub),
    defaultReminders,
    ...(primary && owner === account.email && { primary: true }),
    // "Set only for secondary calendars."
    ...(!primary && { dataOwner: owner }),
    conferenceProperties: { allowedConferenceSolutionTypes: conferenceTypes },
  };
}
