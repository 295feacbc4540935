import type { Database } from "@/server/db/client";
import type { Mailbox } from "@/server/providers/connector";
import type { ClaimedProfile } from "@/server/sync/claim-profiles";

/** One sync of a profile. */
export interface Syncing {
  db: Database;
  mailbox: Mailbox;
  profile: ClaimedProfile;
  /** Where its provider sends notices. Null: nowhere. */
  hookUrl: string | null;
  /** How long after it was read a calendar is read again that its provider does not notify us of. */
  pollInMs: number;
  /** The same when nothing has changed in it for long. */
  quietPollInMs: number;
  /** Notes that a calendar was read, and how many changes of events came. */
  noteRead(calendarId: string, count: number): void;
  /** False: the claim is lost, or this process is stopping. */
  goesOn(): boolean;
}
