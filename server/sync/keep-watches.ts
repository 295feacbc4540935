import { clock } from "@/server/clock";
import { log } from "@/server/log";
import { ProviderError } from "@/server/providers/connector";
import type { Watching } from "@/server/providers/watching";
import {
  dropWatch,
  dueWatches,
  keepWatch,
  openWatch,
  setWatchAside,
  unwatchedCalendars,
  uselessWatches,
} from "@/server/store/mailboxes/watches";
import type { StoredWatch, UnwatchedCalendar } from "@/server/store/mailboxes/watches.sql";
import type { Syncing } from "@/server/sync/syncing";

/**
 * Stops the watches of calendars that a profile no longer has, begins those that it has not got, and renews those of which half is over.
 * A calendar that cannot be watched is polled alone. False: the provider has no watches, or nothing to send notices to. Throws ProviderError when the provider throttles us or
 * rejects the credentials.
 */
export async function keepWatches(syncing: Syncing): Promise<boolean> {
  const { db, profile, hookUrl: url, goesOn } = syncing;
  const { watch: watching } = syncing.mailbox;
  if (!watching) return false;
  for (const watch of await uselessWatches(db, profile.id)) {
    if (!goesOn()) return false;
    await tried(() => stop(syncing, watching, watch));
  }
  if (url === null) return false;
  for (const watch of await dueWatches(db, profile.id)) {
    if (!goesOn()) return true;
    await tried(() => renew(syncing, watching, { watch, url }));
  }
  for (const calendar of await unwatchedCalendars(db, profile.id)) {
    if (!goesOn()) return true;
    await tried(() => start(syncing, watching, { calendar, url }));
  }
  return true;
}

/** Stops a watch. One that could not be stopped is tried again at the next poll, until it has ended by itself. */
async function stop({ db }: Syncing, watching: Watching, { channel, resource, expiresAt }: StoredWatch): Promise<void> {
  if (resource !== null && expiresAt !== null && expiresAt > clock().now())
    await watching.stop({ channel, resource, expiresAt }).catch(unlessGone);
  await dropWatch(db, channel);
}

function unlessGone(error: unknown): void {
  if (!(error instanceof ProviderError) || error.fault.kind !== "gone") throw error;
}

async function start(
  { db, profile }: Syncing,
  watching: Watching,
  { calendar: { calendarId, externalId }, url }: { calendar: UnwatchedCalendar; url: string },
): Promise<void> {
  const opened = await openWatch(db, profile.id, calendarId);
  const { channel } = opened;
  const started = await watching.start({ calendarId: externalId, url, ...opened }).catch(async (error) => {
    if (isOfWatch(error)) await setWatchAside(db, channel, error.detail);
    throw error;
  });
  await ("refusedFor" in started ? setWatchAside(db, channel, started.refusedFor) : keepWatch(db, started));
}

/**
 * Renews a watch. One that was never started, or that its provider does not know any more, is begun again. One that is
 * not renewed goes on until it ends, and counts as none.
 */
async function renew(
  { db, profile }: Syncing,
  watching: Watching,
  { watch, url }: { watch: StoredWatch; url: string },
): Promise<void> {
  const { channel, resource, expiresAt, calendarId, externalId } = watch;
  if (resource === null || expiresAt === null) return await dropWatch(db, channel);
  const fresh = await openWatch(db, profile.id, calendarId);
  try {
    const renewed = await watching.renew({ channel, resource, expiresAt }, { calendarId: externalId, url, ...fresh });
    if ("refusedFor" in renewed) {
      await setWatchAside(db, channel, renewed.refusedFor);
      return await dropWatch(db, fresh.channel);
    }
    await keepWatch(db, renewed);
    await dropWatch(db, renewed.channel === channel ? fresh.channel : channel);
  } catch (error) {
    await dropWatch(db, fresh.channel);
    if (error instanceof ProviderError && error.fault.kind === "gone") await dropWatch(db, channel);
    else throw error;
  }
}

async function tried(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isOfWatch(error)) throw error;
    log({ module: "sync" }).info({ fault: error.message }, "a watch could not be started, renewed or stopped");
  }
}

/** Reports whether an error is that of a watch, and not of everything that is asked of the provider. */
function isOfWatch(error: unknown): error is ProviderError {
  if (!(error instanceof ProviderError)) return false;
  const { fault } = error;
  return fault.kind !== "throttled" && !(fault.kind === "credentials_rejected" && fault.isRenewal);
}
