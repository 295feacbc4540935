import { slices } from "@/server/event-loop";
import { type Account, unexpected } from "@/server/providers/caldav/account";
import { type CaldavResponse, down } from "@/server/providers/caldav/ask";
import { tzidOf } from "@/server/providers/caldav/calendars";
import { etagOf } from "@/server/providers/caldav/etag";
import { needMultistatus } from "@/server/providers/caldav/multistatus";
import type { Entry } from "@/server/providers/caldav/multistatus-reader";
import {
  HREFS_A_PAGE,
  type ReadFrom,
  type ReadPage,
  readPage,
  type WantedResource,
} from "@/server/providers/caldav/read-page";
import { propfind, syncCollection } from "@/server/providers/caldav/requests";
import { resourceOf } from "@/server/providers/caldav/shared-resource";
import { cal, dav } from "@/server/providers/caldav/xml";
import {
  type ChangePage,
  type ChangesEnd,
  type ChangesInput,
  type EventToRead,
  ProviderError,
} from "@/server/providers/connector";

/** Ways of servers to refuse a sync token (RFC 6578 §3.2 says 403). 500 is Xandikos's; 405, 415 and 501 of those that lost the report. */
const staleToken = new Set([400, 403, 405, 409, 410, 412, 415, 500, 501]);
const TRUNCATED = 507;
const props = [dav("getetag"), dav("getcontenttype")];
const timezone = cal("calendar-timezone");
const KNOWN_AT_ONCE = 1000;
const PAGES_AHEAD = 3;
/** More than any calendar has. */
const MOST_ENTRIES = 60_000;
const MOST_STEPS = 1_000;

type Pages = AsyncGenerator<ChangePage, ChangesEnd>;

/**
 * Reads what is in a calendar, or what changed in it since the sync token (RFC 6578). Throws `sync_token_expired` for a
 * token that the server refuses, which may come after pages, and `gone` when the calendar is gone.
 */
export function pull(account: Account, input: ChangesInput): Pages {
  return input.syncToken === null ? everything(account, input) : changes(account, input, input.syncToken);
}

/** Reads the resource of one event, as a pull does. */
export async function eventNow(account: Account, event: EventToRead): Promise<ChangePage> {
  const { calendarId, externalId, parts } = event;
  const { tzid } = await aboutCalendar(account, account.at(calendarId), [timezone]);
  const wanted = { externalId: resourceOf(externalId), version: null, further: Object.keys(parts) };
  const { page } = await readPage(account, { calendarId, tzid }, [wanted]);
  return page;
}

async function* everything(account: Account, input: ChangesInput): Pages {
  const url = account.at(input.calendarId);
  // The token first: what changes while the list is read comes again with the next pull.
  const { token, tzid } = await aboutCalendar(account, url, [dav("sync-token"), timezone]);
  const { entries, syncToken } =
    (token !== null && (await listBySync(account, url))) || (await listOf(account, url, token));
  const listed = await resourcesOf(entries);
  const present = new Set(listed.map(({ externalId }) => externalId));
  const { unknown, further } = await unknownOf(listed, input.known);
  for (const externalId of further) present.add(externalId);
  for await (const page of pagesOf(account, { calendarId: input.calendarId, tzid }, unknown)) {
    for (const { externalId } of page.events) present.add(externalId);
    for (const externalId of page.gone) present.delete(externalId);
    yield page;
  }
  return { syncToken, present, window: null, validUntil: null };
}

/**
 * Requests the newest token and the zone for times without one (RFC 4791 §5.2.2), if `properties` name them. A token
 * costs some servers much.
 */
async function aboutCalendar(account: Account, url: string, properties: readonly string[]) {
  const props = (await needed(await account.ask(propfind(url, "0", properties)))).entries[0]?.props;
  const token = props?.get(dav("sync-token"))?.text.trim() || null;
  return { token, tzid: tzidOf(props?.get(timezone)?.text) };
}

/** Requests the time zone that a calendar has for times without one. Null: none, or one that is not known. */
export async function zoneOfCalendar(account: Account, url: string): Promise<string | null> {
  return (await aboutCalendar(account, url, [timezone])).tzid;
}

interface List {
  entries: Entry[];
  syncToken: string | null;
}

/**
 * Lists everything in a calendar as what changed since nothing (RFC 6578 §3.4), because Radicale needs a fortieth of
 * the time that it needs for PROPFIND.
 */
async function listBySync(account: Account, url: string): Promise<List | null> {
  const entries: Entry[] = [];
  for (let token = ""; ; ) {
    const step = await stepFrom(account, url, token);
    if (!step.done) return null;
    for (const entry of step.entries) entries.push(entry);
    if (entries.length > MOST_ENTRIES) throw down("too_many_entries");
    token = step.token;
    if (!step.isTruncated) return { entries, syncToken: token };
  }
}

async function listOf(account: Account, url: string, syncToken: string | null): Promise<List> {
  const answer = await account.ask(propfind(url, "1", [...props, dav("resourcetype")]));
  return { entries: (await needed(answer)).entries, syncToken };
}

async function needed(answer: CaldavResponse) {
  if (answer.status !== 207) throw unexpected(answer);
  return needMultistatus(answer);
}

type Step = { done: true; entries: Entry[]; token: string; isTruncated: boolean } | { done: false; detail: string };

/**
 * Requests what changed since a token, or the beginning of it. The step is not done if the server refuses the token.
 */
async function stepFrom(account: Account, url: string, from: string): Promise<Step> {
  const answer = await account.ask(syncCollection(url, from, props));
  if (staleToken.has(answer.status)) return { done: false, detail: `http_${answer.status}` };
  const { entries, syncToken: token } = await needed(answer);
  const isTruncated = entries.some(({ status }) => status === TRUNCATED);
  if (token === null || (isTruncated && token === from)) return { done: false, detail: "no_new_token" };
  return { done: true, entries, token, isTruncated };
}

async function* changes(account: Account, input: ChangesInput, syncToken: string): Pages {
  const url = account.at(input.calendarId);
  let token = syncToken;
  let isTruncated = true;
  const unseen = new Set((input.unseen ?? []).map(resourceOf));
  for (let steps = 0; isTruncated && steps < MOST_STEPS; steps += 1) {
    const step = await stepFrom(account, url, token);
    if (!step.done) throw new ProviderError({ kind: "sync_token_expired" }, step.detail);
    const { entries } = step;
    ({ token, isTruncated } = step);
    for (const { externalId } of entries) unseen.delete(externalId);
    const gone = entries.filter(({ status }) => status === 404).map(({ externalId }) => externalId);
    if (gone.length > 0) yield { events: [], gone: await withFurther(gone, input.known), faults: [] };
    const { unknown } = await unknownOf(await resourcesOf(entries), input.known);
    if (unknown.length === 0) continue;
    const tzid = await zoneOfCalendar(account, url);
    yield* pagesOf(account, { calendarId: input.calendarId, tzid }, unknown, input.known);
  }
  // A token that is a hash of the content is the old one again when somebody deletes what was written since: no change tells of it.
  if (unseen.size > 0) {
    const tzid = await zoneOfCalendar(account, url);
    const wanted = [...unseen].map((externalId) => ({ externalId, version: null }));
    yield* pagesOf(account, { calendarId: input.calendarId, tzid }, wanted, input.known);
  }
  return { syncToken: token, present: null, window: null, validUntil: null };
}

/**
 * Selects the resources of events from a list, without the calendar itself and anything else in it. The last entry for
 * a name counts.
 */
async function resourcesOf(entries: Entry[]): Promise<WantedResource[]> {
  const versions = new Map<string, string | null>();
  const pause = slices();
  for (const entry of entries) {
    if (isResource(entry)) versions.set(entry.externalId, etagOf(entry.props.get(dav("getetag"))?.text));
    await pause();
  }
  return [...versions].map(([externalId, version]) => ({ externalId, version }));
}

function isResource({ externalId, status, props }: Entry): boolean {
  const isCollection = externalId.endsWith("/") || props.get(dav("resourcetype"))?.children.length;
  const isCalendarText = props.get(dav("getcontenttype"))?.text.trim().toLowerCase().startsWith("text/calendar");
  return status === null && !isCollection && (isCalendarText === true || externalId.toLowerCase().endsWith(".ics"));
}

/**
 * Reads resources page by page and requests a few pages ahead, so that a far server's delay isn't waited for each time.
 * @param known finds events that have become their resource's own, which a full read finds gone anyway. Omitted: they
 * are not looked for
 */
async function* pagesOf(account: Account, from: ReadFrom, wanted: WantedResource[], known?: ChangesInput["known"]) {
  const ahead: Promise<ReadPage>[] = [];
  for (const hrefs of sliced(wanted, HREFS_A_PAGE)) {
    const page = readPage(account, from, hrefs);
    // One that fails is thrown when its turn comes.
    page.catch(() => undefined);
    ahead.push(page);
    const next = ahead.length >= PAGES_AHEAD ? ahead.shift() : undefined;
    if (next) yield* allOf(account, from, await next, known);
  }
  for (const page of ahead) yield* allOf(account, from, await page, known);
}

/** Yields a page, and then further pages with what did not fit into it. */
async function* allOf(account: Account, from: ReadFrom, first: ReadPage, known?: ChangesInput["known"]) {
  for (let { page, formerly, rest } = first; ; { page, formerly, rest } = await readPage(account, from, rest)) {
    const replaced = known && formerly.length > 0 ? [...(await known(formerly)).keys()] : [];
    yield replaced.length > 0 ? { ...page, gone: [...page.gone, ...replaced] } : page;
    if (rest.length === 0) return;
  }
}

/** Finds the resources whose version isn't known yet, and the further events of all resources that are known. */
async function unknownOf(listed: WantedResource[], known: ChangesInput["known"]) {
  const unknown: WantedResource[] = [];
  const allFurther: string[] = [];
  for (const some of sliced(listed, KNOWN_AT_ONCE)) {
    const versions = await known(some.map(({ externalId }) => externalId));
    for (const { externalId, version } of some) {
      const before = versions.get(externalId);
      const further = before && Object.keys(before.parts);
      allFurther.push(...(further ?? []));
      if (version === null || before?.version !== version) unknown.push({ externalId, version, further });
    }
  }
  return { unknown, further: allFurther };
}

/** Adds to the resources that are gone the further events that they had. */
async function withFurther(gone: string[], known: ChangesInput["known"]): Promise<string[]> {
  const all = [...gone];
  for (const some of sliced(gone, KNOWN_AT_ONCE)) {
    for (const { parts } of (await known(some)).values()) all.push(...Object.keys(parts));
  }
  return all;
}

function* sliced<Item>(items: Item[], size: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
