import { clock } from "@/server/clock";
import type { Instant } from "@/server/domain/time/instant";
import { type Mailbox, ProviderError } from "@/server/providers/connector";
import { dueLinks, endLooks, lookAgain } from "@/server/store/mailboxes/meeting-links";
import type { AwaitedLink } from "@/server/store/mailboxes/meeting-links.sql";
import type { Syncing } from "@/server/sync/syncing";
import { linkWait } from "@/server/sync/waits";

/** After so many looks a link that is still not there counts as failed. */
const MOST_LOOKS = 7;

/** Looks for the meeting links that the provider creates after a write, a few times with growing waits. */
export async function lookForLinks({ db, mailbox, profile, goesOn }: Syncing): Promise<void> {
  for (const link of await dueLinks(db, profile.id)) {
    if (!goesOn()) return;
    const found = await look(mailbox, link);
    const looks = link.looks + 1;
    if (found === "pending" && looks < MOST_LOOKS) await lookAgain(db, link, linkWait(looks));
    else await endLooks(db, link, found === "pending" ? "failed" : found, clock().now() as Instant);
  }
}

async function look(mailbox: Mailbox, { calendar, externalId }: AwaitedLink) {
  if (!mailbox.meetingLink) return "failed";
  try {
    return await mailbox.meetingLink({ calendarId: calendar, externalId });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { fault } = error;
    if (fault.kind === "gone" || fault.kind === "refused") return "failed";
    if (fault.kind === "throttled" || (fault.kind === "credentials_rejected" && fault.isRenewal)) throw error;
    return "pending";
  }
}
