import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { connect, type Database } from "@/server/db/client";
import { migrate } from "@/server/db/migrations";
import { provideEnv } from "@/server/env";
import { type Seeded, seedAccount } from "@/tests/bench/seed";
import { newDatabase } from "@/tests/fakes/new-database";
import { seedApplication, seedChannels, seedDeliveries } from "@/tests/faults/seed";
import { launch, type Running } from "@/tests/faults/service";

const ENCRYPTION_KEYS = `f1:${randomBytes(32).toString("base64")}`;

/** One line of the table: what a fault did to the service. */
export interface Row {
  fault: string;
  measured: string;
  limit: string;
  ok: boolean;
}

/** A database of its own with one application and one account, and the services that run on it. */
export interface Field {
  db: Database;
  url: string;
  /** Starts a service on the database; `env` goes over what it has anyway. */
  launch(env?: Record<string, string>): Promise<Running>;
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
  /** A PostgreSQL server; FAULTS_DATABASE_URL or this machine's unless given. */
  address?: string;
}

/** Lays out a field, lets `work` run on it, and clears everything away. */
export async function inField<T>({ origins, address }: Ground, work: (field: Field) => Promise<T>): Promise<T> {
  const server = address ?? process.env.FAULTS_DATABASE_URL ?? "postgresql://root@127.0.0.1:5432/postgres";
  const database = await newDatabase(server, "almanac_faults");
  const folder = mkdtempSync(join(tmpdir(), "almanac-faults-"));
  const services: Running[] = [];
  const env = {
    DATABASE_URL: database.url,
    ENCRYPTION_KEYS,
    CALLBACK_ALLOWED_ORIGINS: origins.join(","),
    DATA_DIR: folder,
    LOG_LEVEL: "error",
  };
  provideEnv(env);
  const db = connect(database.url);
  try {
    await migrate(database.url, resolve("prisma/migrations"));
    const clientId = await seedApplication(db);
    const account = await seedAccount(db, clientId);
    return await work({
      db,
      url: database.url,
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
    await db.close();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function countPending(db: Database): Promise<number> {
  const [row] = await db.query<{ n: number }>("SELECT count(*)::int AS n FROM deliveries WHERE state = 'pending'");
  return row?.n ?? 0;
}
