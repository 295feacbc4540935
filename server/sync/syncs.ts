import type { Database } from "@/server/db/client";
import { wake } from "@/server/db/wake";
import { type Provider, synced } from "@/server/domain/providers";
import { capacities } from "@/server/env/capacities";
import { log } from "@/server/log";
import { type Connector, ProviderError } from "@/server/providers/connector";
import type { Lane, Spending } from "@/server/store/mailboxes/provider-budget";
import { beginSpending } from "@/server/store/mailboxes/provider-budgets";
import { noteThrottling } from "@/server/store/mailboxes/throttling";
import { mailboxAccess } from "@/server/store/profiles/mailbox-access";
import { budgetedSlots } from "@/server/sync/budgeted-slots";
import {
  type ClaimedProfile,
  claimNewProfiles,
  claimProfiles,
  nextProfileIn,
  renewProfile,
} from "@/server/sync/claim-profiles";
import { failSync, finishSync } from "@/server/sync/finish-sync";
import { keepLease } from "@/server/sync/lease";
import { providerSlots } from "@/server/sync/provider-slots";
import { retryWritesNow } from "@/server/sync/retry-writes";
import { type SyncEnd, syncProfile } from "@/server/sync/sync-profile";
import { pollWait, SHORTEST_WAIT_MS, wakeUpIn } from "@/server/sync/waits";
import { inOwnTrace } from "@/server/tracing";
import { type Keys, type Note, type Working, type WorkLoop, workLoop } from "@/server/work-loop";

export interface SyncsOptions {
  db: () => Database;
  connectorOf(provider: Provider): Connector | null;
  /** How often a calendar account is polled that has changed lately. */
  pollMs: number;
  /** How often one in which nothing changes. Omitted: as often. */
  longestPollMs?: number;
  /** Syncs in progress at once, without the first ones of mailboxes. */
  atOnce?: number;
  firstAtOnce?: number;
  /** Where a provider sends notices. Null, or omitted: nowhere. */
  hookUrl?(provider: Provider): string | null;
  random?(): number;
  onIdle?(nextInMs: number): void;
}

/** What a claimed profile costs is reserved in the budget of its provider. */
interface BegunSync extends ClaimedProfile {
  profileId: string;
  spending: Spending;
}

function begun(lane: Lane, claimed: readonly ClaimedProfile[]): BegunSync[] {
  return claimed.map((profile) => ({
    ...profile,
    ...{ profileId: profile.id, spending: beginSpending(lane, profile) },
  }));
}

/** Syncs profiles when they are due, each beside the others and by one process at a time. */
export function syncs({
  db,
  connectorOf,
  pollMs,
  longestPollMs = pollMs,
  atOnce = capacities.SYNC_SLOTS.byDefault,
  firstAtOnce = capacities.FIRST_SYNC_SLOTS.byDefault,
  hookUrl = () => null,
  random = Math.random,
  onIdle = () => {},
}: SyncsOptions): WorkLoop {
  const slots = providerSlots(atOnce);
  const firstSlots = providerSlots(firstAtOnce);
  const work = async ({ spending, ...profile }: BegunSync, { isStopping, note }: Working): Promise<Note> => {
    let events = 0;
    const noteRead = (calendarId: string, count: number) => {
      events += count;
      if (profile.initialSyncRequired) note({ subject: calendarId, counts: { events: count } });
    };
    const noteOf = (came: string) => ({ subject: profile.id, counts: { [whyOf(profile)]: 1, [came]: 1, events } });
    const end = (profile.initialSyncRequired ? firstSlots : slots).begin(profile);
    const lease = keepLease(() => renewProfile(db(), profile));
    let polls = { pollMs, longestPollMs };
    const finishing = (isSlow: boolean) => ({
      ...{ db: db(), profile, random, ...polls },
      // However long it took to read everything: what comes then is a poll.
      isSlow: isSlow && !profile.initialSyncRequired,
    });
    const goesOn = () => lease.isHeld() && !isStopping();
    try {
      const connector = need(connectorOf(profile.provider));
      const mailbox = connector.open(mailboxAccess(db(), connector, profile, spending));
      if (mailbox.pollMs !== undefined) polls = { pollMs: mailbox.pollMs, longestPollMs: mailbox.pollMs };
      const waits = {
        pollInMs: pollWait(polls.pollMs, random),
        quietPollInMs: pollWait(polls.longestPollMs, random),
      };
      const syncing = { db: db(), mailbox, profile, hookUrl: hookUrl(profile.provider), ...waits, goesOn, noteRead };
      const came = await syncProfile(syncing);
      await finishSync(finishing(end(true)), came);
      if (isOver(profile.lastError, came)) await retryWritesNow(db(), profile.id, { ifAway: false });
      if (profile.lastError !== null) wake("push");
      return noteOf(came.kind);
    } catch (thrown) {
      const isSlow = end(thrown instanceof ProviderError && thrown.fault.kind !== "down");
      const failed = noteThrottling(db(), profile, thrown);
      await failed
        .then(() => failSync(finishing(isSlow), thrown))
        .catch((error) => {
          log({ module: "sync" }).error(
            { profileId: profile.id, err: error },
            "a failed sync could not be written down",
          );
        });
      return noteOf(thrown instanceof ProviderError ? thrown.fault.kind : "internal");
    } finally {
      lease.end();
      spending.end();
    }
  };
  return workLoop<BegunSync>({
    claim: async ({ keys }) => {
      const providers = configured(connectorOf);
      const polled = among(providers, keys);
      const free = slots.free(polled);
      const profiles = keys?.filter((key) => !isProvider(key)) ?? null;
      const firstFree = profiles?.length === 0 ? [] : firstSlots.free(providers);
      const isAsked = polled.length > 0 || (profiles?.length !== 0 && providers.length > 0);
      if (isAsked && free.length + firstFree.length === 0) return null;
      const due = begun("sync", await claimProfiles(db(), await budgetedSlots(free, "sync")));
      const firsts = await claimNewProfiles(db(), await budgetedSlots(firstFree, "first_sync"), profiles);
      return [...due, ...begun("first_sync", firsts)];
    },
    work: (profile, working) => inOwnTrace(`sync ${profile.provider}`, () => work(profile, working)),
    keyOf: ({ id, provider, initialSyncRequired }) => (initialSyncRequired ? id : provider),
    nextIn: () => nextProfileIn(db(), configured(connectorOf)),
    shortestWaitMs: SHORTEST_WAIT_MS,
    onIdle: (nextInMs) => onIdle(wakeUpIn(nextInMs)),
  });
}

/** Reports whether the provider is rid of what the sync before this one failed with. */
function isOver(lastError: string | null, came: SyncEnd): boolean {
  if (lastError === null || came.kind === "stopped") return false;
  return came.kind === "synced" || came.error !== lastError;
}

function whyOf({ initialSyncRequired, isPoll }: ClaimedProfile): string {
  if (initialSyncRequired) return "first_syncs";
  return isPoll ? "polls" : "notices";
}

/** Returns those of the providers that are among the keys of work; null: all. */
export function among(providers: readonly Provider[], keys: Keys): Provider[] {
  return providers.filter((provider) => keys === null || keys.includes(provider));
}

function isProvider(key: string): boolean {
  return synced.some((provider) => provider === key);
}

/** Gives the providers that there is a way to. */
export function configured(connectorOf: SyncsOptions["connectorOf"]): Provider[] {
  return synced.filter((provider) => connectorOf(provider) !== null);
}

export function need(connector: Connector | null): Connector {
  if (!connector) throw new Error("the provider is not configured");
  return connector;
}
