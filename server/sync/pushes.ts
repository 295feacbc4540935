import type { Database } from "@/server/db/client";
import type { Provider } from "@/server/domain/providers";
import { capacities } from "@/server/env/capacities";
import { log } from "@/server/log";
import { type Connector, ProviderError } from "@/server/providers/connector";
import type { Spending } from "@/server/store/mailboxes/provider-budget";
import { beginSpending } from "@/server/store/mailboxes/provider-budgets";
import { noteThrottling } from "@/server/store/mailboxes/throttling";
import { mailboxAccess } from "@/server/store/profiles/mailbox-access";
import { budgetedSlots } from "@/server/sync/budgeted-slots";
import { type ClaimedWrite, claimWrites, nextWriteIn, renewWrite } from "@/server/sync/claim-writes";
import { failPush, finishPush } from "@/server/sync/finish-push";
import { keepLease } from "@/server/sync/lease";
import { providerSlots } from "@/server/sync/provider-slots";
import { pushWrite } from "@/server/sync/push-write";
import { among, configured, need } from "@/server/sync/syncs";
import { SHORTEST_WAIT_MS, wakeUpIn } from "@/server/sync/waits";
import { inOwnTrace } from "@/server/tracing";
import { type Note, type WorkLoop, workLoop } from "@/server/work-loop";

export interface PushesOptions {
  db: () => Database;
  connectorOf(provider: Provider): Connector | null;
  /** Writes in progress at once. */
  atOnce?: number;
  onIdle?(nextInMs: number): void;
}

/** What a claimed write costs is reserved in the budget of its provider. */
interface BegunWrite extends ClaimedWrite {
  spending: Spending;
}

/** Tells providers of events that the application wrote, each beside the others and each event by one process at a time. */
export function pushes({
  db,
  connectorOf,
  atOnce = capacities.PUSH_SLOTS.byDefault,
  onIdle = () => {},
}: PushesOptions): WorkLoop {
  const slots = providerSlots(atOnce);
  const work = async ({ spending, ...write }: BegunWrite): Promise<Note> => {
    const noteOf = (came: string) => ({ subject: write.profileId, counts: { [whyOf(write)]: 1, [came]: 1 } });
    const end = slots.begin(write);
    const lease = keepLease(() => renewWrite(db(), write));
    const ending = { db: db(), write };
    try {
      const connector = need(connectorOf(write.provider));
      const access = mailboxAccess(db(), connector, write, spending);
      const pushed = await pushWrite({ db: db(), connector, access, write });
      const isSlow = end(true);
      await finishPush(ending, pushed);
      await notePace(db(), write, isSlow);
      return noteOf(pushed?.kind === "done" ? "written" : (pushed?.kind ?? "nothing_left"));
    } catch (thrown) {
      const isSlow = end(thrown instanceof ProviderError && thrown.fault.kind !== "down");
      const failed = noteThrottling(db(), write, thrown)
        .then(() => failPush(ending, thrown))
        .then(() => notePace(db(), write, isSlow));
      await failed.catch((error) => {
        log({ module: "sync" }).error({ event: write.eventRow, err: error }, "a failed push could not be written down");
      });
      return noteOf(thrown instanceof ProviderError ? thrown.fault.kind : "internal");
    } finally {
      lease.end();
      spending.end();
    }
  };
  return workLoop<BegunWrite>({
    claim: async ({ keys }) => {
      const providers = among(configured(connectorOf), keys);
      const free = slots.free(providers);
      if (providers.length > 0 && free.length === 0) return null;
      const claimed = await claimWrites(db(), await budgetedSlots(free, "write"));
      return claimed.map((write) => ({ ...write, spending: beginSpending("write", write) }));
    },
    keyOf: ({ provider }) => provider,
    work: (write) => inOwnTrace(`push ${write.provider}`, () => work(write)),
    nextIn: () => nextWriteIn(db(), configured(connectorOf)),
    shortestWaitMs: SHORTEST_WAIT_MS,
    onIdle: (nextInMs) => onIdle(wakeUpIn(nextInMs)),
  });
}

function whyOf({ attempt }: ClaimedWrite): string {
  return attempt === 1 ? "first_attempts" : "retries";
}

/** Stores whether the last write to a mailbox was slow, which then has few slots, in every process. */
async function notePace(db: Database, { profileId, wasSlow }: ClaimedWrite, isSlow: boolean): Promise<void> {
  if (isSlow === wasSlow) return;
  await db.prisma.profileSync.updateMany({ where: { profileId }, data: { pushSlow: isSlow } });
}
