import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { StartError } from "@/server/front-door/start-error";

const SOCKET_NAME = ".s.PGSQL.5432";
/** The smallest limit of the systems Node runs on is 104 bytes with the closing zero. */
const LONGEST_SOCKET_PATH = 100;
const CLOSE_WITHIN_MS = 10_000;
const YOUNG_MB = 8;

export interface EmbeddedDatabase {
  /** An ordinary PostgreSQL address. */
  url: string;
  /** Waits for the running statement and writes everything to the disk. */
  close(): Promise<void>;
}

/**
 * Starts PGlite in a worker thread, behind a Unix socket that only this user can open. The caller holds the lock of the
 * data folder. Calls `onCrash` when the database dies by itself: nothing can be answered any more.
 */
export async function startEmbedded(
  dataDir: string,
  onCrash: (reason: string) => void = () => {},
): Promise<EmbeddedDatabase> {
  const { folder, isTemporary } = await socketFolder(dataDir);
  const worker = new Worker(new URL("./embedded-worker.mjs", import.meta.url), {
    workerData: { folder: join(dataDir, "postgres"), socket: join(folder, SOCKET_NAME) },
    execArgv: [],
    // Its messages are short-lived, and PostgreSQL's own memory is not V8's.
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  await ready(worker);
  let isClosing = false;
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  let reason = "its thread ended";
  worker.once("error", (error) => {
    reason = error.message;
  });
  void exited.then(() => isClosing || onCrash(reason));
  return {
    url: addressIn(folder),
    async close() {
      isClosing = true;
      worker.postMessage("close");
      const late = setTimeout(() => void worker.terminate(), CLOSE_WITHIN_MS);
      await exited;
      clearTimeout(late);
      if (isTemporary)
        for (const gone of [folder, socketLink(dataDir)]) await rm(gone, { recursive: true, force: true });
    },
  };
}

const addressIn = (folder: string) =>
  `postgresql://almanac@localhost:5432/postgres?host=${encodeURIComponent(folder)}&sslmode=disable`;

/** Returns the address of the database that another process has open in this DATA_DIR. Null: none has, or not from here. */
export async function openedElsewhere(dataDir: string): Promise<string | null> {
  const folder = socketLink(dataDir);
  const socket = connect(join(folder, SOCKET_NAME));
  const isOpen = await new Promise<boolean>((resolve) =>
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false)),
  );
  socket.destroy();
  return isOpen ? addressIn(folder) : null;
}

/** Reports whether this DATA_DIR already holds a database. */
export function holdsDatabase(dataDir: string): boolean {
  return existsSync(join(dataDir, "postgres", "PG_VERSION"));
}

const socketLink = (dataDir: string) => join(dataDir, "socket");

/**
 * Creates the folder for the socket. Where the path of DATA_DIR is too long for a socket, the folder is a temporary
 * one, and a link in DATA_DIR leads to it.
 */
async function socketFolder(dataDir: string): Promise<{ folder: string; isTemporary: boolean }> {
  const folder = socketLink(dataDir);
  if (Buffer.byteLength(join(folder, SOCKET_NAME)) <= LONGEST_SOCKET_PATH) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return { folder, isTemporary: false };
  }
  const temporary = await mkdtemp(join(tmpdir(), "almanac-"));
  await rm(folder, { recursive: true, force: true }); // of a process that was killed
  await symlink(temporary, folder);
  return { folder: temporary, isTemporary: true };
}

async function ready(worker: Worker): Promise<void> {
  const refused = (reason: string) => new StartError(`Cannot open the embedded database: ${reason}.`);
  await new Promise<void>((resolve, reject) => {
    worker.once("message", (message: { kind: "ready" } | { kind: "fault"; reason: string }) => {
      if (message.kind === "ready") resolve();
      else reject(refused(message.reason));
    });
    worker.once("error", (error) => reject(refused(error.message)));
    worker.once("exit", () => reject(refused("its thread ended")));
  });
  worker.removeAllListeners();
}
