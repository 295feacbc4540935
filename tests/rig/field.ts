import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "@/server/db/client";
import { provideEnv } from "@/server/env";
import { openDatabase, SERVER } from "@/tests/rig/database";
import { type Seeded, seedAccount, seedApplication, seedChannels, seedDeliveries } from "@/tests/rig/seed";
import { launch, type Service } from "@/tests/rig/service";

const ENCRYPTION_KEYS = `f1:${randomBytes(32).toString("base64")}`;

/** A database of its own with one application and one account, and the services that run on it. */
export interface Field {
  db: Database;
  url: string;
  /** Starts a service on the database; `env` goes over what it has anyway. */
  launch(env?: Record<string, string>): Promise<Service>;
  newAccount(): Promise<Seeded>;
  account: Seeded;
  /** Opens a channel of the account for each URL, as rows. Gives their ids. */
  channels(urls: readonly string[]): Promise<string[]>;
  /** So many due deliveries to each channel, in one statement and without waking anybody. Gives their ids. */
  deliveries(channels: readonly string[], each: number): Promise<string[]>;
  /** Deliveries that are not at an end. */
  pending(): Promise<number>;
}

export interface Ground {
  /** Receivers that the service may post to. */
  origins: readonly string[];
  /** A PostgreSQL server, if it is not the one of all. */
  address?: string;
}

/** Lays out a field, lets `work` run on it, and clears everything away. */
export async function inField<T>(
  { origins, address = SERVER }: Ground,
  work: (field: Field) => Promise<T>,
): Promise<T> {
  const { db, url, close } = await openDatabase(address, "almanac_faults");
  const folder = mkdtempSync(join(tmpdir(), "almanac-faults-"));
  const services: Service[] = [];
  const env = {
    DATABASE_URL: url,
    ENCRYPTION_KEYS,
    CALLBACK_ALLOWED_ORIGINS: origins.join(","),
    DATA_DIR: folder,
    LOG_LEVEL: "error",
  };
  provideEnv(env);
  try {
    const clientId = await seedApplication(db);
    const account = await seedAccount(db, clientId);
    return await work({
      db,
      url,
      account,
      newAccount: () => seedAccount(db, clientId),
      launch: async (more = {}) => {
        const service = await launch({ ...env, ...more });
        services.push(service);
        return service;
      },
      channels: (urls) => seedChannels(db, { accountId: account.accountId, urls }),
      deliveries: (channels, each) => seedDeliveries(db, channels, each),
      pending: () => countPending(db),
    });
  } catch (error) {
    for (const service of services) process.stderr.write(service.complaints().slice(-2_000));
    throw error;
  } finally {
    await Promise.all(services.map((service) => service.end("SIGKILL")));
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function countPending(db: Database): Promise<number> {
  const [row] = await db.query<{ n: number }>("SELECT count(*)::int AS n FROM deliveries WHERE state = 'pending'");
  return row?.n ?? 0;
}
