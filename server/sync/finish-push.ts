import { clock } from "@/server/clock";
import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { seriesAsRead } from "@/server/domain/merge/same-series";
import type { GiveUpReason } from "@/server/domain/provider-writes";
import type { Instant } from "@/server/domain/time/instant";
import { reasonOf } from "@/server/domain/trouble/reasons";
import { log } from "@/server/log";
import { meters } from "@/server/meters";
import { ProviderError, type ProviderFault } from "@/server/providers/connector";
import { signalRefused } from "@/server/store/provider-writes/signal-refused.sql";
import { storePushed } from "@/server/store/provider-writes/stored-push";
import { askForPoll } from "@/server/sync/ask-for-poll";
import type { ClaimedWrite } from "@/server/sync/claim-writes";
import { closeWrite, postponeWrite, returnWrite } from "@/server/sync/finish-push.sql";
import type { PushedWrite } from "@/server/sync/push-write";
import { retryWritesNow } from "@/server/sync/retry-writes";
import { failedPushWait } from "@/server/sync/waits";

/** When to give up a write that no attempt has delivered. Staff see it. */
const GIVEN_UP_AFTER_MS = 48 * 60 * 60_000;
/** No attempts are made while a profile is disconnected, so time alone does not give up a write. */
const FEWEST_ATTEMPTS = 10;

export interface PushEnding {
  db: Database;
  write: ClaimedWrite;
}

/** Stores the result of a push. Null: there is nothing left to write. */
export async function finishPush({ db, write }: PushEnding, pushed: PushedWrite | null): Promise<void> {
  const { id, revision, lease } = write;
  meters()?.push({ provider: write.provider, result: pushed?.kind ?? "nothing_left" });
  if (pushed === null) await db.prisma.providerWrite.deleteMany({ where: { id: BigInt(id), lease } });
  else if (pushed.kind === "refused") await refuse(db, write, pushed.reason);
  else {
    const now = clock().now() as Instant;
    if (await storePushed(db, { writeId: id, revision, lease, pushed, keepsSeries: seriesAsRead, now }))
      await retryWritesNow(db, write.profileId, { ifAway: write.attempt === 1 });
  }
}

/** Puts off a push that failed: it is retried for two days, with growing waits. */
export async function failPush({ db, write }: PushEnding, thrown: unknown): Promise<void> {
  const isOfProvider = thrown instanceof ProviderError;
  if (!isOfProvider)
    log({ module: "sync" }).error({ event: write.eventRow, err: thrown }, "an event could not be pushed");
  const kind = isOfProvider ? kindOf(thrown.fault) : "internal";
  meters()?.push({ provider: write.provider, result: kind });
  if (isOfProvider && thrown.fault.kind === "throttled" && thrown.fault.scope === "application")
    return void (await run(db.query, returnWrite, of(write)));
  if (kind === "gone") return await refuse(db, write, "gone");
  if (write.ageMs >= GIVEN_UP_AFTER_MS && write.attempt >= FEWEST_ATTEMPTS) return await giveUp(db, write, kind);
  if (kind === "credentials_rejected") await askForPoll(db, write.profileId);
  const after = isOfProvider && thrown.fault.kind === "throttled" ? thrown.fault.after : null;
  await run(db.query, postponeWrite, [...of(write), kind, failedPushWait(write.attempt, after)]);
}

/** Names the kind of a fault as writes store it. Nothing is written to feeds. */
function kindOf({ kind }: ProviderFault) {
  return kind === "unusable" ? "internal" : kind;
}

async function refuse(db: Database, write: ClaimedWrite, reason: string): Promise<void> {
  log({ module: "sync" }).warn({ event: write.eventRow, reason }, "a provider refused an event");
  await close(db, write, reason);
  await askForPoll(db, write.profileId);
}

/**
 * Gives up on a write that its provider could not be told of. Unlike a rejected write, it stays readable: the provider
 * has not said no.
 */
async function giveUp(db: Database, write: ClaimedWrite, reason: GiveUpReason): Promise<void> {
  log({ module: "sync" }).warn({ event: write.eventRow, reason }, "a provider could not be told of an event");
  await close(db, write, reason);
}

/**
 * Closes a write with the reason for its failure. If the event was written during the push, the new write may be
 * accepted, so it is tried.
 */
async function close(db: Database, write: ClaimedWrite, reason: string): Promise<void> {
  await db.transaction(async (query) => {
    await run(query, closeWrite, [...of(write), reason]);
    await run(query, signalRefused, [write.id, databaseTime(), reasonOf(reason) ?? "rejected"]);
  });
  wake("notify");
}

const of = ({ id, lease, revision }: ClaimedWrite) => [id, lease, databaseTime(), revision];
