import { inSlices } from "@/server/event-loop";
import type { Account } from "@/server/providers/caldav/account";
import { ifMatch, isDone, put, refusal } from "@/server/providers/caldav/conditional";
import { resourceReplied } from "@/server/providers/caldav/icalendar/write/write-reply";
import { eventOf, resourceOf } from "@/server/providers/caldav/shared-resource";
import { stored } from "@/server/providers/caldav/stored";
import { type ChangedSince, type KnownWrite, Refused, type ReplyToWrite } from "@/server/providers/writing";

/** Replies for the user in the resource of an event. A server with scheduling sends the reply to the organizer. */
export async function reply(
  account: Account,
  { calendarId, externalId, parts = {} }: KnownWrite,
  given: ReplyToWrite,
  since: ChangedSince | null,
): Promise<void> {
  const url = account.at(resourceOf(externalId));
  const existing = await stored(account, url);
  const ics = await inSlices(
    resourceReplied({
      ...given,
      ics: existing.ics,
      pick: (events) => eventOf(events, externalId, Object.keys(parts)),
      ownAddresses: account.addresses,
    }),
  );
  if (ics === null) throw new Refused("not_a_guest");
  const answer = await put(account, url, { ics, condition: ifMatch(existing.etag, since) });
  if (!isDone(answer)) throw await refusal(account, calendarId, { answer, etag: existing.etag });
}
