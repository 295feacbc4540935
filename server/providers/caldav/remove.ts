import { inSlices } from "@/server/event-loop";
import type { Account } from "@/server/providers/caldav/account";
import { hasChanged, ifMatch, isDone, put, refusal } from "@/server/providers/caldav/conditional";
import { etagOf, isStrong } from "@/server/providers/caldav/etag";
import { withoutGuests } from "@/server/providers/caldav/icalendar/read/without-guests";
import { etagFrom, storedIfAny } from "@/server/providers/caldav/stored";
import { ChangedSince, type KnownWrite } from "@/server/providers/writing";

interface ResourceToDelete {
  etag: string | null;
  /** Its text before the guests were removed. Null: the guests are still in it. */
  before: string | null;
}

/**
 * Deletes one event, whatever others changed in it. Without `notify` its guests are removed first, and restored when the server
 * rejects the deletion.
 */
export async function remove(account: Account, event: KnownWrite, since: ChangedSince | null): Promise<void> {
  const { calendarId, notify } = event;
  const url = account.at(event.externalId);
  // This header only suppresses the guests' replies (RFC 6638 §8.1).
  const silence: Record<string, string> = notify ? {} : { "schedule-reply": "F" };
  const resource = notify ? await asItIs(account, event, since) : await withoutGuestsToNotify(account, url, since);
  const headers = { ...silence, ...ifMatch(resource.etag, since) };
  const answer = await account.ask({ method: "DELETE", url, headers });
  if (isDone(answer) || answer.status === 404 || answer.status === 410) return;
  const refused = await refusal(account, calendarId, { answer, etag: resource.etag });
  await putBack(account, url, resource);
  throw refused;
}

async function asItIs(
  account: Account,
  { externalId, version }: KnownWrite,
  since: ChangedSince | null,
): Promise<ResourceToDelete> {
  return { etag: since ? await etagFrom(account, account.at(externalId)) : etagOf(version), before: null };
}

/**
 * Removes the guests before a silent deletion, because a server cancels a deleted event for every guest it has notified
 * (RFC 6638 §3.2.1.3). Some servers cancel it anyway. If the server rejects the change, the event is deleted unchanged.
 */
async function withoutGuestsToNotify(
  account: Account,
  url: string,
  since: ChangedSince | null,
): Promise<ResourceToDelete> {
  const existing = await storedIfAny(account, url);
  const ics = existing && (await inSlices(withoutGuests(existing.ics, account.addresses)));
  const etag = existing?.etag ?? null;
  if (!existing || ics === null) return { etag, before: null };
  const answer = await put(account, url, { ics, condition: ifMatch(etag, since) });
  if (hasChanged(answer)) throw new ChangedSince(etag);
  if (!isDone(answer)) return { etag, before: null };
  const sent = etagOf(answer.headers.get("etag"));
  return { etag: isStrong(sent) ? sent : await etagFrom(account, url), before: existing.ics };
}

/** Restores the resource as it was before its guests were removed, unless others have changed it since then. */
async function putBack(account: Account, url: string, { etag, before }: ResourceToDelete): Promise<void> {
  if (before !== null) await put(account, url, { ics: before, condition: ifMatch(etag, null) });
}
