import type { Database } from "@/server/db/client";
import { wake } from "@/server/db/wake";
import type { CalendarProvider } from "@/server/domain/calendars/guest-rules";
import { log } from "@/server/log";
import { type Connector, ProviderError } from "@/server/providers/connector";
import { type ClaimedProfile, claimProfiles, nextProfileIn, renewProfile } from "@/server/sync/claim-profiles";
import { type Crew, crew } from "@/server/sync/crew";
import type { SyncDoors } from "@/server/sync/doors";
import { failSync, finishSync } from "@/server/sync/finish-sync";
import { hurryWrites } from "@/server/sync/hurry-writes";
import { lanes } from "@/server/sync/lanes";
import { keepLease } from "@/server/sync/lease";
import { type SyncEnd, sessionOf, syncProfile } from "@/server/sync/sync-profile";

/** Syncs under way in one process. */
const SLOTS = 20;

export interface SyncsOptions {
  db: () => Database;
  doors: SyncDoors;
  connectorOf(provider: CalendarProvider): Connector | null;
  pollMs: number;
  random?(): number;
  onIdle?(nextInMs: number): void;
}

/** Syncs profiles when they are due, each beside the others and by one process at a time. */
export function syncs({ db, doors, connectorOf, pollMs, random = Math.random, onIdle = () => {} }: SyncsOptions): Crew {
  const places = lanes(SLOTS);
  const work = async (profile: ClaimedProfile, isStopping: () => boolean) => {
    const end = places.begin(profile);
    const lease = keepLease(() => renewProfile(db(), profile));
    const finishing = (isSlow: boolean) => ({ db: db(), doors, profile, pollMs, random, isSlow });
    const goesOn = () => lease.isOurs() && !isStopping();
    try {
      const connector = need(connectorOf(profile.provider));
      const syncing = { db: db(), doors, connector, session: sessionOf(profile), profile, goesOn };
      const came = await syncProfile(syncing);
      await finishSync(finishing(end(true)), came);
      if (isOver(profile.lastError, came)) await hurryWrites(db(), profile.id, { ifAway: false });
      if (profile.lastError !== null) wake("push");
    } catch (thrown) {
      const isSlow = end(thrown instanceof ProviderError && thrown.fault.kind !== "down");
      await failSync(finishing(isSlow), thrown).catch((error) => {
        log({ room: "sync" }).error({ profileId: profile.id, err: error }, "a failed sync could not be written down");
      });
    } finally {
      lease.end();
    }
  };
  return crew({
    claim: () => claimProfiles(db(), places.room(configured(connectorOf))),
    work,
    nextIn: () => nextProfileIn(db(), configured(connectorOf)),
    onIdle,
  });
}

/** Whether the provider is rid of what the sync before this one failed with. */
function isOver(lastError: string | null, came: SyncEnd): boolean {
  if (lastError === null || came.kind === "stopped") return false;
  return came.kind === "synced" || came.error !== lastError;
}

const all: CalendarProvider[] = ["prov_a", "prov_b", "prov_c", "prov_d"];

/** The providers that there is a way to. */
export function configured(connectorOf: SyncsOptions["connectorOf"]): CalendarProvider[] {
  return all.filter((provider) => connectorOf(provider) !== null);
}

export function need(connector: Connector | null): Connector {
  if (!connector) throw new Error("the provider is not configured");
  return connector;
}
