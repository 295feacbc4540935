// Runs in a worker thread, so that the WebAssembly database never stalls the event loop that answers requests.
import { rm } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { compiledWasm } from "./compiled-wasm.mjs";
import { postgresSocket } from "./postgres-socket.mjs";

/** @type {{ folder: string, socket: string }} */
const { folder, socket } = workerData;

// -F would mean fsync off: an answered 202 must survive kill -9.
const durable = PGlite.defaultStartParams.filter((parameter) => parameter !== "-F");
// initdb chooses 128 MB, and the process holds all of them from the start. What does not fit is read from the disk's cache.
const startParams = [...durable, "-c", "shared_buffers=16MB"];

try {
  const pgliteWasmModule = await compiledWasm(new URL("pglite.wasm", import.meta.resolve("@electric-sql/pglite")));
  const database = await PGlite.create({ dataDir: folder, startParams, pgliteWasmModule });
  await rm(socket, { force: true });
  const server = await postgresSocket(database, socket);
  parentPort?.on("message", async () => {
    await server.close();
    await database.close();
    parentPort?.postMessage({ kind: "closed" });
    parentPort?.close();
  });
  parentPort?.postMessage({ kind: "ready" });
} catch (error) {
  parentPort?.postMessage({ kind: "fault", reason: error instanceof Error ? error.message : String(error) });
}
