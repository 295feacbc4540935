import { type Account, unexpected } from "@/server/providers/caldav/account";
import { down, TOO_LONG } from "@/server/providers/caldav/ask";
import { etagOf } from "@/server/providers/caldav/etag";
import { type ReadResource, readResource } from "@/server/providers/caldav/icalendar/read-resource";
import { type Entry, readMultistatus } from "@/server/providers/caldav/multistatus";
import { multiget } from "@/server/providers/caldav/requests";
import { cal, dav } from "@/server/providers/caldav/xml";
import type { PullPage, RemoteEvent } from "@/server/providers/connector";

export interface Wanted {
  externalId: string;
  version: string | null;
}

export interface ReadFrom {
  calendarId: string;
  /** The calendar's own time zone, for times without one. */
  tzid: string | null;
}

/** iCloud is known to answer reliably up to this many. */
export const HREFS_A_PAGE = 50;

type Read = { event: RemoteEvent } | { gone: string } | { fault: { externalId: string; reason: string } };

/**
 * Resources by one multiget. Where the server does not answer for one of them, or for any, they are read one by one, so that a single
 * bad resource is a fault of its own and never stops the calendar. Throws `down` when none of several can be read.
 */
export async function readPage(account: Account, from: ReadFrom, wanted: Wanted[]): Promise<PullPage> {
  const url = account.at(from.calendarId);
  const read = (one: Wanted, ics: string) => readOf(one, readText(account, ics, from.tzid));
  const paths = wanted.map(({ externalId }) => externalId);
  const answer = await account.ask(multiget(url, paths, [dav("getetag"), cal("calendar-data")]));
  if (answer.status === 404 || answer.status === 410) throw unexpected(answer);
  const answered = new Map((await readMultistatus(answer))?.entries.map((entry) => [entry.externalId, entry]));
  const reads: Read[] = [];
  for (const one of wanted) {
    reads.push(fromMultiget(one, answered.get(one.externalId), read) ?? (await readAlone(account, one, read)));
  }
  // A single one may be the bad resource that no request can be answered about; several hardly are.
  const isSilent = answered.size === 0 && reads.length > 1 && reads.every((read) => "fault" in read);
  if (isSilent) throw down(`http_${answer.status}`);
  return pageOf(reads);
}

/** What one resource says; `fault` never quotes it. */
export function readText({ addresses }: Account, ics: string, tzid: string | null): ReadResource {
  try {
    return readResource(ics, { ownAddresses: addresses, tzid });
  } catch {
    // Whatever a stranger's text does to the reader, the other resources are read.
    return { fault: "unreadable" };
  }
}

type ReadOne = (one: Wanted, ics: string) => Read;

function fromMultiget({ externalId, version }: Wanted, entry: Entry | undefined, read: ReadOne): Read | null {
  if (entry?.status === 404) return { gone: externalId };
  const ics = entry?.props.get(cal("calendar-data"))?.text;
  if (!ics) return null;
  return read({ externalId, version: etagOf(entry.props.get(dav("getetag"))?.text) ?? version }, ics);
}

async function readAlone(account: Account, { externalId, version }: Wanted, read: ReadOne): Promise<Read> {
  const answer = await account.ask({ method: "GET", url: account.at(externalId) });
  const { status, headers, text } = answer;
  if (status === 404 || status === 410) return { gone: externalId };
  if (status >= 500 && !isStubborn(account.at(externalId))) throw down(`http_${status}`);
  if (status !== 200) return { fault: { externalId, reason: status === TOO_LONG ? "too_long" : `http_${status}` } };
  return read({ externalId, version: etagOf(headers.get("etag")) ?? version }, text);
}

const TRIES = 3;
const MOST_COUNTED = 1_000;
const failures = new Map<string, number>();

/** A server's fault may pass; the third time it is the resource's, and the calendar goes on without it. */
function isStubborn(url: string): boolean {
  const count = (failures.get(url) ?? 0) + 1;
  failures.set(url, count);
  const [first] = failures.keys();
  if (failures.size > MOST_COUNTED && first !== undefined) failures.delete(first);
  return count >= TRIES;
}

function readOf({ externalId, version }: Wanted, read: ReadResource): Read {
  if ("fault" in read) return { fault: { externalId, reason: read.fault } };
  return { event: { externalId, version, state: read.state } };
}

function pageOf(reads: Read[]): PullPage {
  return {
    events: reads.flatMap((read) => ("event" in read ? read.event : [])),
    gone: reads.flatMap((read) => ("gone" in read ? read.gone : [])),
    faults: reads.flatMap((read) => ("fault" in read ? read.fault : [])),
  };
}
