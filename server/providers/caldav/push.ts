import { createHash } from "node:crypto";
import { clock } from "@/server/clock";
import { type Account, unexpected } from "@/server/providers/caldav/account";
import { type Answered, down } from "@/server/providers/caldav/ask";
import { etagOf, isStrong } from "@/server/providers/caldav/etag";
import { writeResource } from "@/server/providers/caldav/icalendar/write-resource";
import { preconditionOf, readMultistatus } from "@/server/providers/caldav/multistatus";
import { readText } from "@/server/providers/caldav/read-page";
import { propfind } from "@/server/providers/caldav/requests";
import { dav } from "@/server/providers/caldav/xml";
import { ProviderError, type PushAsked, type Pushed } from "@/server/providers/connector";

const TRIES = 3;
const CHANGED_MEANWHILE = 412;

/** Answers to a write that pass, or that say nothing of it: all other 4xx are for good. */
const passing = new Set([408, 423, 425]);

/**
 * Writes one event, or deletes it: over what the server has at that moment, and only if it still has it, so that what others changed
 * stays. Gives what the server keeps. Throws `gone` when the event or its calendar is, and `conflict` when it changed at each of three tries.
 */
export function push(account: Account, asked: PushAsked): Promise<Pushed> {
  const externalId = asked.externalId ?? `${asked.calendarId.replace(/\/$/, "")}/${nameOf(asked.uid)}`;
  return asked.state === null ? remove(account, asked, externalId) : write(account, asked, externalId, asked.state);
}

/** The resource's name: the same for the same event, so that a write whose answer was lost is found again. */
function nameOf(uid: string): string {
  return `${createHash("sha256").update(uid).digest("hex")}.ics`;
}

async function write(account: Account, asked: PushAsked, externalId: string, state: NonNullable<PushAsked["state"]>) {
  const url = account.at(externalId);
  let existing = asked.externalId === null ? null : await stored(account, url);
  let refused: string | null = null;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const ics = writeResource({
      ...{ existing: existing?.ics ?? null, uid: asked.uid, state, owner: ownerOf(account) },
      ...{ removedGuests: asked.removedGuests, notify: asked.notify, now: clock().now() },
    });
    const condition = existing ? ifMatch(existing.etag, refused) : { "if-none-match": "*" };
    const headers = { "content-type": "text/calendar; charset=utf-8", ...condition };
    const answer = await account.ask({ method: "PUT", url, headers, body: ics });
    if (isDone(answer)) return written(account, { externalId, url, answer, ics });
    if (answer.status !== CHANGED_MEANWHILE) return refusal(account, asked.calendarId, answer);
    refused = existing?.etag ?? null;
    existing = await stored(account, url).catch(absent);
  }
  throw new ProviderError({ kind: "conflict" }, "http_412");
}

/** Deleted since it was in the way: it is created after all, if its calendar is there. */
function absent(error: unknown): null {
  if (error instanceof ProviderError && error.fault.kind === "gone") return null;
  throw error;
}

interface Stored {
  ics: string;
  etag: string | null;
}

/** What the server has now. Where an answer to GET brings no etag, the one from before it is taken: it cannot be newer than the text. */
async function stored(account: Account, url: string): Promise<Stored> {
  const read = await get(account, url);
  if (read.etag !== null) return read;
  const etag = await etagFrom(account, url);
  return { ...(await get(account, url)), etag };
}

async function get(account: Account, url: string): Promise<Stored> {
  const answer = await account.ask({ method: "GET", url });
  if (answer.status !== 200) throw unexpected(answer);
  // Half a resource must not be written back.
  if (!/END:VCALENDAR\s*$/i.test(answer.text)) throw down("incomplete");
  return { ics: answer.text, etag: etagOf(answer.headers.get("etag")) };
}

async function etagFrom(account: Account, url: string): Promise<string | null> {
  const read = await readMultistatus(await account.ask(propfind(url, "0", [dav("getetag")])));
  return etagOf(read?.entries[0]?.props.get(dav("getetag"))?.text);
}

/** An organizer must be one of the account's own addresses, else servers send nothing or refuse (providers.md §2). */
function ownerOf({ addresses: [email], displayName }: Account) {
  return email === undefined ? null : { email, display_name: displayName };
}

/** An etag that was refused although it is the current one cannot be used as a condition (weak ones cannot, by RFC 9110 §13.1.1). */
function ifMatch(etag: string | null, refused: string | null): Record<string, string> {
  return etag === null || etag === refused ? {} : { "if-match": etag };
}

function isDone({ status }: Answered): boolean {
  return status >= 200 && status < 300;
}

interface Written {
  externalId: string;
  url: string;
  answer: Answered;
  /** What was sent. */
  ics: string;
}

/** A strong etag says that what was sent is what is kept; a Schedule-Tag, that the server may have rewritten it (RFC 6638 §3.2.10). */
async function written(account: Account, { externalId, url, answer, ics }: Written): Promise<Pushed> {
  const sent = etagOf(answer.headers.get("etag"));
  const isKept = isStrong(sent) && !answer.headers.has("schedule-tag");
  const { etag, ics: kept } = isKept ? { etag: sent, ics } : await stored(account, url);
  const read = readText(account, kept, null);
  return { kind: "done", externalId, version: etag, state: "fault" in read ? null : read.state };
}

/** For good, with the name of the precondition that was not met: never the answer's text, which may quote the event. */
async function refusal(account: Account, calendarId: string, answer: Answered): Promise<Pushed> {
  const { status } = answer;
  const precondition = await preconditionOf(answer);
  if ([403, 409, 415, 507].includes(status) && precondition !== null) return { kind: "refused", reason: precondition };
  if (status < 400 || status >= 500 || passing.has(status)) throw down(`http_${status}`);
  // 409 is also what a calendar that is no longer there is answered with (RFC 4918 §9.7.1).
  if (status === 409) await stillThere(account, calendarId);
  if (status === 404 || status === 410) throw unexpected(answer);
  return { kind: "refused", reason: `http_${status}` };
}

async function stillThere(account: Account, calendarId: string): Promise<void> {
  const answer = await account.ask(propfind(account.at(calendarId), "0", [dav("resourcetype")]));
  if (answer.status === 404 || answer.status === 410) throw unexpected(answer);
}

async function remove(account: Account, asked: PushAsked, externalId: string): Promise<Pushed> {
  const url = account.at(externalId);
  let etag = etagOf(asked.version);
  let refused: string | null = null;
  for (let tries = 0; tries < TRIES; tries += 1) {
    // Only the replies of guests can be kept back this way (RFC 6638 §8.1): an organizer's cancellation is the server's own affair.
    const silence: Record<string, string> = asked.notify ? {} : { "schedule-reply": "F" };
    const answer = await account.ask({ method: "DELETE", url, headers: { ...silence, ...ifMatch(etag, refused) } });
    if (isDone(answer) || answer.status === 404 || answer.status === 410) {
      return { kind: "done", externalId, version: null, state: null };
    }
    if (answer.status !== CHANGED_MEANWHILE) return refusal(account, asked.calendarId, answer);
    refused = etag;
    etag = await etagFrom(account, url);
  }
  throw new ProviderError({ kind: "conflict" }, "http_412");
}
