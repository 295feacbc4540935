import { db } from "@/server/db/client";
import { wake } from "@/server/db/wake";
import { type Provider, providerTraits } from "@/server/domain/providers";
import { env } from "@/server/env";
import { log } from "@/server/log";
import { connectorOf } from "@/server/providers/connectors";
import { pushes } from "@/server/sync/pushes";
import { workRevocations } from "@/server/sync/revocations";
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
    longestPollMs: Math.max(env().SYNC_POLL_SECONDS, env().SYNC_QUIET_POLL_SECONDS) * 1_000,
    atOnce: env().SYNC_SLOTS,
    firstAtOnce: env().FIRST_SYNC_SLOTS,
    hookUrl,
    onIdle: (nextInMs) => wake("sync", nextInMs),
  });
  return globalThis.almanacSyncs;
}

/** Providers send notices over https alone. What stands in for one accepts any address. */
function hookUrl(provider: Provider): string | null {
  const { BASE_URL, GOOGLE_BASE_URL, MICROSOFT_BASE_URL } = env();
  const { path } = providerTraits[provider];
  const standIn = provider === "google" ? GOOGLE_BASE_URL : MICROSOFT_BASE_URL;
  const isReachable = BASE_URL.startsWith("https:") || standIn !== undefined;
  return path !== null && isReachable ? `${BASE_URL}/hooks/${path}` : null;
}

let isEndingAccess = false;

/** Ends our access to calendar accounts whose data was deleted, if that is not being done already. */
export function endAccess(): void {
  if (isEndingAccess) return;
  isEndingAccess = true;
  void workRevocations(db(), connectorOf)
    .catch((error) => log({ module: "jobs" }).error({ err: error }, "access to calendar accounts could not be ended"))
    .finally(() => {
      isEndingAccess = false;
    });
}

/** What writes to providers in this process: one, however often this module is loaded. */
export function pushing(): WorkLoop {
  const onIdle = (nextInMs: number) => wake("push", nextInMs);
  globalThis.almanacPushes ??= pushes({ db, connectorOf, atOnce: env().PUSH_SLOTS, onIdle });
  return globalThis.almanacPushes;
}
