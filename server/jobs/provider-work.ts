import { db } from "@/server/db/client";
import { wake } from "@/server/db/wake";
import { seriesAsRead } from "@/server/domain/merge/same-series";
import { env } from "@/server/env";
import { connectorOf } from "@/server/providers/connectors";
import { storeCalendars } from "@/server/store/calendars/store-calendars";
import { knownNames, knownVersions, sweepGone } from "@/server/store/events/known-versions";
import { receiveEvents } from "@/server/store/events/receive";
import { completeInitialSync, disconnectProfile } from "@/server/store/profiles/connection-state";
import { readForPush } from "@/server/store/provider-writes/read-for-push";
import { storePushed } from "@/server/store/provider-writes/stored-push";
import type { PushDoors, SyncDoors } from "@/server/sync/doors";
import { pushes } from "@/server/sync/pushes";
import { syncs } from "@/server/sync/syncs";
import type { WorkLoop } from "@/server/sync/work-loop";

export const syncDoors: SyncDoors = {
  storeCalendars,
  knownVersions,
  knownNames,
  receiveEvents: (db, received) => receiveEvents(db, { ...received, keepsSeries: seriesAsRead }),
  sweepGone,
  disconnectProfile,
  completeInitialSync,
};

export const pushDoors: PushDoors = {
  readForPush,
  storePushed: (db, push) => storePushed(db, { ...push, keepsSeries: seriesAsRead }),
};

declare global {
  var almanacSyncs: WorkLoop | undefined;
  var almanacPushes: WorkLoop | undefined;
}

/** What syncs profiles in this process: one, however often this module is loaded. */
export function syncing(): WorkLoop {
  globalThis.almanacSyncs ??= syncs({
    db,
    doors: syncDoors,
    connectorOf,
    pollMs: env().SYNC_POLL_SECONDS * 1_000,
    onIdle: (nextInMs) => wake("sync", nextInMs),
  });
  return globalThis.almanacSyncs;
}

/** What writes to providers in this process: one, however often this module is loaded. */
export function pushing(): WorkLoop {
  const onIdle = (nextInMs: number) => wake("push", nextInMs);
  globalThis.almanacPushes ??= pushes({ db, doors: pushDoors, connectorOf, onIdle });
  return globalThis.almanacPushes;
}
