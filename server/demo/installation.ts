import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { clock } from "@/server/clock";
import { type Database, db } from "@/server/db/client";
import { type Env, EnvFaults, env, provideEnv } from "@/server/env";
import { keyCheck } from "@/server/front-door/key-check";
import { secrets } from "@/server/front-door/secrets";
import { StartError } from "@/server/front-door/start-error";

const PATIENCE_MS = 30_000;
const BETWEEN_LOOKS_MS = 500;

/** A foreseen reason why the demo cannot go on, as a sentence for whoever ran it. */
export class DemoError extends Error {
  override name = "DemoError";
}

/** A running Almanac and its database. */
export interface Installation {
  env: Env;
  db: Database;
  isEmbedded: boolean;
}

/**
 * Finds the running Almanac of this configuration by its BASE_URL and its database; the embedded database is found by
 * the socket in DATA_DIR (ADR 2). Throws DemoError when there is none.
 */
export async function findInstallation(): Promise<Installation> {
  try {
    const variables = env();
    await expectRunning(variables);
    const isEmbedded = variables.DATABASE_URL === undefined;
    const provided = provideEnv({
      DATABASE_URL: isEmbedded ? embeddedAddress(variables) : variables.DATABASE_URL,
      ENCRYPTION_KEYS: variables.ENCRYPTION_KEYS.length === 0 ? await loadStoredKeys(variables) : undefined,
    });
    await keyCheck();
    return { env: provided, db: db(), isEmbedded };
  } catch (error) {
    if (error instanceof EnvFaults || error instanceof StartError) throw new DemoError(error.message);
    throw error;
  }
}

/** Waits up to half a minute for one that is busy, or that is still starting. */
async function expectRunning({ BASE_URL }: Env): Promise<void> {
  const end = clock().monotonic() + PATIENCE_MS;
  for (;;) {
    const response = await fetch(`${BASE_URL}/health`).catch(() => undefined);
    if (response?.status === 200) return;
    if (response?.status !== 503) {
      throw new DemoError(
        `No Almanac responds at ${BASE_URL}. Start it with npm start, and run this in a second shell with the same configuration.`,
      );
    }
    if (clock().monotonic() > end) {
      const { reason } = (await response.json().catch(() => ({}))) as { reason?: string };
      throw new DemoError(
        `Almanac at ${BASE_URL} isn't ready${reason === undefined ? "" : `: ${reason}`}. Try again later.`,
      );
    }
    await response.body?.cancel();
    await wait(BETWEEN_LOOKS_MS);
  }
}

function embeddedAddress({ DATA_DIR }: Env): string {
  const folder = join(DATA_DIR, "socket");
  if (!existsSync(folder)) throw new DemoError(`No Almanac uses the embedded database in ${DATA_DIR}. Set DATA_DIR.`);
  // A symbolic link when the path of DATA_DIR is too long for a socket.
  const host = encodeURIComponent(realpathSync(folder));
  return `postgresql://almanac@localhost:5432/postgres?host=${host}&sslmode=disable`;
}

async function loadStoredKeys({ DATA_DIR }: Env): Promise<string> {
  return (await secrets(DATA_DIR, { holdsData: true })).ENCRYPTION_KEYS;
}
