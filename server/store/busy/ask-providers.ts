import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import type { Interval } from "@/server/domain/availability/intervals";
import { inTimeOf } from "@/server/domain/availability/taken-time";
import { groupedBy } from "@/server/domain/grouped-by";
import type { Instant } from "@/server/domain/time/instant";
import { UTC, zone } from "@/server/domain/time/zone";
import type { Window } from "@/server/domain/window";
import { type Mailbox, ProviderError } from "@/server/providers/connector";
import { connectorOf } from "@/server/providers/connectors";
import { type AskedRow, askedOfProviders } from "@/server/store/busy/ask-providers.sql";
import { beginSpending } from "@/server/store/mailboxes/provider-budgets";
import { noteThrottling } from "@/server/store/mailboxes/throttling";
import { mailboxAccess } from "@/server/store/profiles/mailbox-access";

/** All providers together may take so long: somebody waits for the answer. */
const PATIENCE_MS = 5_000;
/** Exchange serves four requests of a mailbox at once, one of which may be a sync's or a push's. */
const AT_ONCE = 3;
const DAY_MS = 86_400_000;

export interface ProvidersQuestion {
  calendarIds: readonly string[];
  range: Interval;
  /** Events that are left out, by the ids of their rows. */
  without: readonly string[];
}

export interface ProvidersAnswer {
  busy: Map<string, readonly Interval[]>;
  /** Calendars whose provider did not say. */
  missing: Set<string>;
}

/**
 * Asks the providers of calendars what time is taken there right now, all at once and for at most five seconds.
 * Passes over calendars that Almanac hosts, because what is stored of them is all there is, and feeds, whose publishers
 * decide how often they say something new. Leaves out events whose write the provider does not have yet: what is stored
 * of them is newer.
 */
export async function askProviders(
  db: Database,
  { calendarIds, range, without }: ProvidersQuestion,
): Promise<ProvidersAnswer> {
  const rows = await run(db.query, askedOfProviders, [calendarIds, databaseTime(), without]);
  const busy = new Map<string, readonly Interval[]>();
  const mailboxes = [...groupedBy(rows, ({ profileId }) => profileId).values()];
  await withinPatience((signal) =>
    mailboxes.map((own) => askMailbox(db, own, { range, signal, note: (id, times) => void busy.set(id, times) })),
  );
  const answered = new Map(busy);
  return { busy: answered, missing: new Set(rows.map(({ id }) => id).filter((id) => !answered.has(id))) };
}

interface Asking {
  range: Interval;
  /** Ends what nobody waits for any more. */
  signal: AbortSignal;
  note(calendarId: string, times: readonly Interval[]): void;
}

async function askMailbox(db: Database, calendars: readonly AskedRow[], { range, signal, note }: Asking) {
  const [first] = calendars;
  if (!first?.isOpen) return;
  const { profileId, provider, connection, sealedCredential, ownClient } = first;
  const connector = connectorOf(provider);
  if (!connector || sealedCredential === null) return;
  const claimed = { profileId, connection, sealedCredential, ownClient };
  const spending = beginSpending("now", { provider, applicationId: null, ownClient });
  const access = mailboxAccess(db, connector, claimed, spending);
  const mailbox = connector.open({ ...access, signal });
  const left = [...calendars];
  const worker = async () => {
    for (let calendar = left.shift(); calendar; calendar = left.shift()) {
      const times = await takenIn(mailbox, calendar, range).catch(async (error) => {
        if (!(error instanceof ProviderError)) throw error;
        if (!signal.aborted) await noteThrottling(db, { profileId, provider, ownClient }, error);
        // What is wrong with one calendar is no reason to go on with the next, unless it alone is gone.
        if (error.fault.kind !== "gone" && error.fault.kind !== "refused") left.length = 0;
      });
      if (times) note(calendar.id, times);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function takenIn(
  mailbox: Mailbox,
  { externalId, defaultTzid, outdated }: AskedRow,
  { start, end }: Interval,
): Promise<Interval[] | undefined> {
  // All-day events are UTC midnights, and their days begin up to 14 hours before and 12 hours after those.
  const window: Window = { from: (start - DAY_MS) as Instant, to: (end + DAY_MS) as Instant };
  const spans = await mailbox.busyTime?.({ calendarId: externalId, window, without: new Set(outdated) });
  const ownZone = zone(defaultTzid) ?? UTC;
  return spans?.map((span) => inTimeOf(ownZone, span)).filter((one) => one.end > one.start);
}

async function withinPatience(begin: (signal: AbortSignal) => Promise<void>[]): Promise<void> {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  const all = Promise.all(begin(over.signal)).then(() => {});
  // What comes after the time is up is nobody's error any more.
  all.catch(() => {});
  await Promise.race([all, patience]).finally(() => {
    clearTimeout(timer);
    over.abort();
  });
}
