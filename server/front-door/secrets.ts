import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EnvFaults, readEnv } from "@/server/env";
import { codeOf, StartError } from "@/server/front-door/start-error";

const KEY_BYTES = 32;
const OWNER_ONLY = 0o600;

/**
 * Reads the generated ENCRYPTION_KEYS of this DATA_DIR, and creates them when there are none. With `holdsData` it
 * throws instead, because new keys would lose what was sealed.
 */
export async function secrets(
  folder: string,
  { holdsData }: { holdsData: boolean },
): Promise<{ ENCRYPTION_KEYS: string }> {
  const path = join(folder, "secrets.json");
  if (!existsSync(path)) {
    if (holdsData) {
      throw new StartError(
        `${path} is missing, but the database has secrets encrypted with it. Restore the file or set ENCRYPTION_KEYS.`,
      );
    }
    await create(path);
  }
  await chmod(path, OWNER_ONLY).catch(() => undefined);
  return await read(path);
}

/**
 * Writes the file aside and links it: a file that exists is whole, and of two processes that start together one wins.
 */
async function create(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const content = { ENCRYPTION_KEYS: `k1:${randomBytes(KEY_BYTES).toString("base64")}` };
  try {
    await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: OWNER_ONLY, flush: true });
    await link(draft, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw new StartError(`Cannot write ${path} (${codeOf(error)}).`);
  } finally {
    await rm(draft, { force: true });
  }
}

async function read(path: string): Promise<{ ENCRYPTION_KEYS: string }> {
  try {
    const { ENCRYPTION_KEYS } = JSON.parse(await readFile(path, "utf8")) as { ENCRYPTION_KEYS: unknown };
    if (typeof ENCRYPTION_KEYS !== "string" || ENCRYPTION_KEYS === "") throw new Error("no ENCRYPTION_KEYS");
    readEnv({ ENCRYPTION_KEYS });
    return { ENCRYPTION_KEYS };
  } catch (error) {
    const reason =
      error instanceof EnvFaults ? error.faults.join(" ") : error instanceof SyntaxError ? "not JSON" : codeOf(error);
    throw new StartError(`Cannot read ${path} (${reason}). Restore a copy of it or set ENCRYPTION_KEYS.`);
  }
}
