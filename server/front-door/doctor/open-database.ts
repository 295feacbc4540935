import type { Env } from "@/server/env";
import { holdsDatabase, openedElsewhere, startEmbedded } from "@/server/front-door/embedded";
import { takeLock } from "@/server/front-door/lock";

export interface OpenedDatabase {
  url: string;
  close(): Promise<void>;
}

/**
 * Opens the database of an installation. An embedded one is reached through the process that runs, and opened here when
 * none does. Null: there is none yet. Throws StartError, also where its process can't be reached from here.
 */
export async function openDatabase({ DATABASE_URL, DATA_DIR }: Env): Promise<OpenedDatabase | null> {
  if (DATABASE_URL !== undefined) return { url: DATABASE_URL, close: async () => {} };
  if (!holdsDatabase(DATA_DIR)) return null;
  const opened = await openedElsewhere(DATA_DIR);
  if (opened !== null) return { url: opened, close: async () => {} };
  const lock = await takeLock(DATA_DIR);
  try {
    const { url, close } = await startEmbedded(DATA_DIR);
    return { url, close: () => close().finally(() => lock.release()) };
  } catch (error) {
    lock.release();
    throw error;
  }
}
