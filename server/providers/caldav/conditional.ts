import { type Account, unexpected } from "@/server/providers/caldav/account";
import { type CaldavResponse, down } from "@/server/providers/caldav/ask";
import { preconditionOf } from "@/server/providers/caldav/multistatus";
import { propfind } from "@/server/providers/caldav/requests";
import { dav } from "@/server/providers/caldav/xml";
import { ChangedSince, Refused } from "@/server/providers/writing";

const CHANGED_MEANWHILE = 412;

/** Answers to a write that pass, or that say nothing of it: all other 4xx are for good. */
const passing = new Set([408, 423, 425]);

/** Writes a resource, on a condition. */
export function put(
  account: Account,
  url: string,
  { ics, condition }: { ics: string; condition: Record<string, string> },
) {
  const headers = { "content-type": "text/calendar; charset=utf-8", ...condition };
  return account.ask({ method: "PUT", url, headers, body: ics });
}

/** Gives the condition of a request. An etag that was refused although it is the current one cannot be one (weak ones cannot, by RFC 9110 §13.1.1). */
export function ifMatch(etag: string | null, since: ChangedSince | null): Record<string, string> {
  return etag === null || etag === since?.version ? {} : { "if-match": etag };
}

/** Tells whether a request did what it asked for. */
export function isDone({ status }: CaldavResponse): boolean {
  return status >= 200 && status < 300;
}

/** Tells whether others have changed the resource since it was read. */
export function hasChanged({ status }: CaldavResponse): boolean {
  return status === CHANGED_MEANWHILE;
}

interface Answer {
  answer: CaldavResponse;
  /** The condition of the request. */
  etag: string | null;
}

/** Judges what was not done. For good, it has the name of the precondition that was not met: never the answer's text, which may quote the event. */
export async function refusal(account: Account, calendarId: string, { answer, etag }: Answer): Promise<Refused> {
  if (hasChanged(answer)) throw new ChangedSince(etag);
  const { status } = answer;
  const precondition = await preconditionOf(answer);
  if ([403, 409, 415, 507].includes(status) && precondition !== null) return new Refused(precondition);
  if (status < 400 || status >= 500 || passing.has(status)) throw down(`http_${status}`);
  // 409 is also what a calendar that is no longer there is answered with (RFC 4918 §9.7.1).
  if (status === 409) await stillThere(account, calendarId);
  if (status === 404 || status === 410) throw unexpected(answer);
  return new Refused(`http_${status}`);
}

async function stillThere(account: Account, calendarId: string): Promise<void> {
  const answer = await account.ask(propfind(account.at(calendarId), "0", [dav("resourcetype")]));
  if (answer.status === 404 || answer.status === 410) throw unexpected(answer);
}
