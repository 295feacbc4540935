import { db } from "@/server/db/client";
import { wake } from "@/server/db/wake";
import { env } from "@/server/env";
import { connectorOf } from "@/server/providers/connectors";
import { pushes } from "@/server/sync/pushes";
import { syncs } from "@/server/sync/syncs";
import type { WorkLoop } from "@/server/work-loop";

declare global {
  var almanacSyncs: WorkLoop | undefined;
  var almanacPushes: WorkLoop | undefined;
}

/** What syncs profiles in this process: one, however often this module is loaded. */
export function syncing(): WorkLoop {
  globalThis.almanacSyncs ??= syncs({
    db,
    connectorOf,
    pollMs: env().SYNC_POLL_SECONDS * 1_000,
    onIdle: (nextInMs) => wake("sync", nextInMs),
  });
  return globalThis.almanacSyncs;
}

/** What writes to providers in this process: one, however often this module is loaded. */
export function pushing(): WorkLoop {
  const onIdle = (nextInMs: number) => wake("push", nextInMs);
  globalThis.almanacPushes ??= pushes({ db, connectorOf, onIdle });
  return globalThis.almanacPushes;
}
