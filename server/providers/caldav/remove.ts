import { inSlices } from "@/server/event-loop";
import type { Account } from "@/server/providers/caldav/account";
import { CHANGED_MEANWHILE, ifMatch, isDone, put, refusal, TRIES } from "@/server/providers/caldav/conditional";
import { etagOf, isStrong } from "@/server/providers/caldav/etag";
import { withoutGuests } from "@/server/providers/caldav/icalendar/read/without-guests";
import { etagFrom, storedIfAny } from "@/server/providers/caldav/stored";
import { ProviderError, type WriteInput, type Written } from "@/server/providers/connector";

interface ResourceToDelete {
  etag: string | null;
  /** Its text before the guests were removed. Null: the guests are still in it. */
  before: string | null;
}

/**
 * Deletes one event, whatever others changed in it. Without `notify` its guests are removed first, and restored when the server
 * rejects the deletion. Throws as `push` does.
 */
export async function remove(account: Account, input: WriteInput, externalId: string): Promise<Written> {
  const url = account.at(externalId);
  // This header only suppresses the guests' replies (RFC 6638 §8.1).
  const silence: Record<string, string> = input.notify ? {} : { "schedule-reply": "F" };
  let resource = input.notify
    ? { etag: etagOf(input.version), before: null }
    : await withoutGuestsToNotify(account, url);
  let refused: string | null = null;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await account.ask({
      method: "DELETE",
      url,
      headers: { ...silence, ...ifMatch(resource.etag, refused) },
    });
    if (isDone(answer) || answer.status === 404 || answer.status === 410) {
      return { kind: "done", externalId, version: null, state: null };
    }
    if (answer.status !== CHANGED_MEANWHILE) {
      const outcome = await refusal(account, input.calendarId, answer);
      await putBack(account, url, resource);
      return outcome;
    }
    refused = resource.etag;
    resource = input.notify
      ? { etag: await etagFrom(account, url), before: null }
      : await withoutGuestsToNotify(account, url);
  }
  throw new ProviderError({ kind: "conflict" }, "http_412");
}

/**
 * A server cancels a deleted event for every guest it has notified (RFC 6638 §3.2.1.3), so a silent deletion first removes the guests.
 * Some servers cancel it anyway. If the server rejects the change, the event is deleted unchanged.
 */
async function withoutGuestsToNotify(account: Account, url: string): Promise<ResourceToDelete> {
  let refused: string | null = null;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const existing = await storedIfAny(account, url);
    const ics = existing && (await inSlices(withoutGuests(existing.ics, account.addresses)));
    const etag = existing?.etag ?? null;
    if (!existing || ics === null) return { etag, before: null };
    const answer = await put(account, url, { ics, condition: ifMatch(etag, refused) });
    if (isDone(answer)) {
      const sent = etagOf(answer.headers.get("etag"));
      return { etag: isStrong(sent) ? sent : await etagFrom(account, url), before: existing.ics };
    }
    if (answer.status !== CHANGED_MEANWHILE) return { etag, before: null };
    refused = etag;
  }
  throw new ProviderError({ kind: "conflict" }, "http_412");
}

/** Others' changes since then stay. */
async function putBack(account: Account, url: string, { etag, before }: ResourceToDelete): Promise<void> {
  if (before !== null) await put(account, url, { ics: before, condition: ifMatch(etag, null) });
}
