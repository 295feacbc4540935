import { inSlices } from "@/server/event-loop";
import { type Account, unexpected } from "@/server/providers/caldav/account";
import { down, TOO_LONG } from "@/server/providers/caldav/ask";
import { etagOf } from "@/server/providers/caldav/etag";
import { withoutUnread } from "@/server/providers/caldav/icalendar/lenient/framings";
import { NO_EVENT, type ReadResource, resourceRead } from "@/server/providers/caldav/icalendar/read/read-resource";
import { readMultistatus } from "@/server/providers/caldav/multistatus";
import type { Entry } from "@/server/providers/caldav/multistatus-reader";
import { multiget } from "@/server/providers/caldav/requests";
import { eventOf, furtherId, furtherParts } from "@/server/providers/caldav/shared-resource";
import { cal, dav } from "@/server/providers/caldav/xml";
import type { ChangePage, RemoteEvent } from "@/server/providers/connector";

export interface WantedResource {
  externalId: string;
  version: string | null;
  /** The further events that were read from it before. */
  further?: readonly string[];
}

export interface ReadFrom {
  calendarId: string;
  /** The calendar's own time zone, for times without one. */
  tzid: string | null;
}

/** iCloud is known to answer reliably up to this many. */
export const HREFS_A_PAGE = 50;

export interface ReadPage {
  page: ChangePage;
  /** The names that events would have as further ones of their resources, which they may have been. */
  formerly: string[];
  /** What did not go into it. */
  rest: WantedResource[];
}

/** Characters of resources in one page. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
/** Bytes of a resource that is read alone, with what is not read of it. */
const MOST_BYTES = 32 * 1024 * 1024;

interface Read {
  /** The name that its own event had while it was a further one. */
  formerly?: string;
  events?: RemoteEvent[];
  gone?: readonly string[];
  faults?: ChangePage["faults"];
}

/**
 * Reads resources by one multiget. Where the server does not answer for one of them, or for any, they are read one by one, so that a single
 * bad resource is a fault of its own and never stops the calendar. Large ones make small pages. Throws `down` when none of several
 * can be read.
 */
export async function readPage(account: Account, from: ReadFrom, wanted: WantedResource[]): Promise<ReadPage> {
  const url = account.at(from.calendarId);
  let characters = 0;
  const read = async (one: WantedResource, ics: string) => {
    characters += ics.length;
    return readOf(one, await readText(account, ics, from.tzid));
  };
  const paths = wanted.map(({ externalId }) => externalId);
  const answer = await account.ask(multiget(url, paths, [dav("getetag"), cal("calendar-data")]));
  if (answer.status === 404 || answer.status === 410) throw unexpected(answer);
  const answered = new Map((await readMultistatus(answer))?.entries.map((entry) => [entry.externalId, entry]));
  const reads: Read[] = [];
  for (const one of wanted) {
    const entry = answered.get(one.externalId);
    reads.push((await fromMultiget(one, entry, read)) ?? (await readAlone(account, one, read)));
    if (characters > MOST_CHARACTERS) break;
  }
  // A single one may be the bad resource that no request can be answered about; several hardly are.
  const isSilent = answered.size === 0 && reads.length > 1 && reads.every(({ faults }) => faults !== undefined);
  if (isSilent) throw down(`http_${answer.status}`);
  const formerly = reads.flatMap((one) => one.formerly ?? []);
  return { page: pageOf(reads), formerly, rest: wanted.slice(reads.length) };
}

/** Reads what one resource says. The `fault` never quotes it. */
export async function readText({ addresses }: Account, ics: string, tzid: string | null): Promise<ReadResource> {
  try {
    return await inSlices(resourceRead(ics, { ownAddresses: addresses, tzid }));
  } catch {
    // Whatever a stranger's text does to the reader, the other resources are read.
    return { fault: "unreadable" };
  }
}

type ReadOne = (one: WantedResource, ics: string) => Promise<Read>;

async function fromMultiget(
  { version, ...wanted }: WantedResource,
  entry: Entry | undefined,
  read: ReadOne,
): Promise<Read | null> {
  if (entry?.status === 404) return gone(wanted);
  const ics = entry?.props.get(cal("calendar-data"))?.text;
  if (!ics) return null;
  return await read({ version: etagOf(entry.props.get(dav("getetag"))?.text) ?? version, ...wanted }, ics);
}

async function readAlone(account: Account, { version, ...wanted }: WantedResource, read: ReadOne): Promise<Read> {
  const { externalId } = wanted;
  const answer = await account.ask({
    method: "GET",
    url: account.at(externalId),
    mostBytes: MOST_BYTES,
    shorten: withoutUnread,
  });
  const { status, headers, text } = answer;
  if (status === 404 || status === 410) return gone(wanted);
  if (status >= 500 && !isStubborn(account.at(externalId))) throw down(`http_${status}`);
  const reason = status === TOO_LONG ? "too_long" : `http_${status}`;
  if (status !== 200) return { faults: [{ externalId, reason, version: null }] };
  return await read({ version: etagOf(headers.get("etag")) ?? version, ...wanted }, text);
}

const TRIES = 3;
const MOST_COUNTED = 1_000;
const failures = new Map<string, number>();

/**
 * Reports whether reading has failed three times at an address. A server's fault may pass, but the third one is the
 * resource's, and the calendar goes on without it.
 */
function isStubborn(url: string): boolean {
  const count = (failures.get(url) ?? 0) + 1;
  failures.set(url, count);
  const [first] = failures.keys();
  if (failures.size > MOST_COUNTED && first !== undefined) failures.delete(first);
  return count >= TRIES;
}

function gone({ externalId, further = [] }: Omit<WantedResource, "version">): Read {
  return { gone: [externalId, ...further] };
}

function readOf({ externalId, version, further = [] }: WantedResource, read: ReadResource): Read {
  if ("fault" in read) {
    return { faults: [{ externalId, version, reason: read.fault, isEvent: read.fault !== NO_EVENT }] };
  }
  const all = [read, ...read.others];
  const own = eventOf(all, externalId, further) ?? read;
  const others = all.filter((one) => one !== own);
  const parts = furtherParts(externalId, others);
  const furtherEvents = others.map(({ name, state }) => ({ externalId: furtherId(externalId, name), version, state }));
  return {
    events: [{ externalId, version, state: own.state, parts }, ...furtherEvents],
    gone: further.filter((id) => !(id in parts)),
    formerly: furtherId(externalId, own.name),
    ...(read.unread.length > 0 && { faults: read.unread.map((reason) => ({ externalId, reason, version: null })) }),
  };
}

function pageOf(reads: Read[]): ChangePage {
  return {
    events: reads.flatMap(({ events = [] }) => events),
    gone: reads.flatMap(({ gone = [] }) => gone),
    faults: reads.flatMap(({ faults = [] }) => faults),
  };
}
