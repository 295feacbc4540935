import { connect, type Database } from "@/server/db/client";
import { bareDue } from "@/tests/bench/bare-due";
import { startWorker } from "@/tests/bench/webhook-process";
import { dropDeliveries, type Listener, seedDue } from "@/tests/bench/webhook-seed";
import { newDatabase } from "@/tests/fakes/new-database";
import { type Cost, costOf, processorTime, type Used, usedBy } from "@/tests/rig/processor-time";
import type { Receivers } from "@/tests/rig/receivers";
import { type SideProcess, startSideProcess } from "@/tests/rig/side-process";

const HOSTS = 20;
const MINUTE_S = 60;

export interface Bench {
  address: string;
  db: Database;
  url: string;
  receivers: Receivers;
  listeners: readonly Listener[];
  say(text: string): void;
}

/** A process that sends what is due in a table. */
export interface Side {
  worker: SideProcess;
  empty(): Promise<void>;
  /** So many due deliveries more, at 20 hosts that respond at once. */
  add(count: number): Promise<void>;
  analyze(): Promise<void>;
  delivered(): Promise<number>;
  /** Of the process and its connections, without the one that adds deliveries. */
  used(): Promise<Used>;
}

/** The service's deliveries and the bare sender's. */
export interface Sides {
  ours: Side;
  bare: Side;
  close(): Promise<void>;
}

export async function openSides({ address, url, receivers, listeners }: Bench): Promise<Sides> {
  const probe = await processorTime(address);
  const flat = await newDatabase(address, "bare_bench");
  const [db, due] = [connect(url, { max: 1 }), await bareDue(flat.url)];
  const channels = listeners.slice(0, HOSTS).map(({ channelId }) => channelId);
  const worker = startWorker({ url, receivers });
  const sender = startSideProcess("bare-sender", { DATABASE_URL: flat.url });
  return {
    ours: {
      worker,
      empty: () => dropDeliveries(db),
      add: (count) => seedDue(db, { channels, count, sinceS: MINUTE_S }),
      analyze: async () => void (await db.query("VACUUM ANALYZE deliveries")),
      delivered: async () => {
        const counted = "SELECT count(*)::int AS n FROM deliveries WHERE state = 'delivered'";
        return (await db.query<{ n: number }>(counted))[0]?.n ?? 0;
      },
      used: () => usedBy(probe, [worker.child.pid], url),
    },
    bare: {
      worker: sender,
      empty: due.empty,
      add: (count) => due.add(count, receivers.urls),
      analyze: due.analyze,
      delivered: due.delivered,
      used: () => usedBy(probe, [sender.child.pid], flat.url),
    },
    close: async () => {
      await Promise.all([worker, sender].map((one) => one.close()));
      await Promise.all([db.close(), due.close()]);
      await flat.close();
      await probe.close();
    },
  };
}

export interface Drained {
  ms: number;
  cost: Cost;
}

/** Sends so many deliveries that are due. Each of them has to arrive. */
export async function drained(side: Side, count: number): Promise<Drained> {
  const [had, before] = [await side.delivered(), await side.used()];
  const ms = await side.worker.ask<number>("deliver");
  const cost = costOf(before, await side.used(), count);
  const done = (await side.delivered()) - had;
  if (done !== count) throw new Error(`${done} of ${count} deliveries were delivered`);
  return { ms, cost };
}
