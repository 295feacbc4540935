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

/** Reads from providers. */
export function syncLoop(): WorkLoop {
  return syncs({
    db,
    connectorOf,
    pollMs: env().SYNC_POLL_SECONDS * 1_000,
    longestPollMs: Math.max(env().SYNC_POLL_SECONDS, env().SYNC_QUIET_POLL_SECONDS) * 1_000,
    atOnce: env().SYNC_SLOTS,
    firstAtOnce: env().FIRST_SYNC_SLOTS,
    hookUrl,
    onIdle: (nextInMs) => wake("sync", nextInMs),
  });
}

/** Returns the URL for a provider's notices. Providers send them over https only; fake providers accept any address. */
function hookUrl(provider: Provider): string | null {
  const { BASE_URL, GOOGLE_BASE_URL, MICROSOFT_BASE_URL } = env();
  const { path } = providerTraits[provider];
  const standIn = provider === "google" ? GOOGLE_BASE_URL : MICROSOFT_BASE_URL;
  const isReachable = BASE_URL.startsWith("https:") || standIn !== undefined;
  return path !== null && isReachable ? `${BASE_URL}/hooks/${path}` : null;
}

let isEndingAccess = false;

/** Ends our access to calendar accounts whose data was deleted, unless that is in progress already. */
export function endAccess(): void {
  if (isEndingAccess) return;
  isEndingAccess = true;
  void workRevocations(db(), connectorOf)
    .catch((error) => log({ module: "jobs" }).error({ err: error }, "access to calendar accounts could not be ended"))
    .finally(() => {
      isEndingAccess = false;
    });
}

/** Writes to providers. */
export function pushLoop(): WorkLoop {
  const onIdle = (nextInMs: number) => wake("push", nextInMs);
  return pushes({ db, connectorOf, atOnce: env().PUSH_SLOTS, onIdle });
}
