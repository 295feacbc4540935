// Serves the one backend of PGlite to many connections. What a client sends up to its Sync runs as a whole: with two clients' messages
// interleaved, one's values could be bound to the other's unnamed statement (seen with the ready-made socket server and values over 64 KiB).
import { chmod } from "node:fs/promises";
import { createServer } from "node:net";

const MOST_CONNECTIONS = 50;
const LONGEST_IDLE_TRANSACTION = 60_000;
const STARTUP_CODES = { protocol3: 196_608, ssl: 80_877_103, gss: 80_877_104, cancel: 80_877_102 };
const [QUERY, SYNC, FLUSH, TERMINATE, COPY_DONE, COPY_FAIL] = Buffer.from("QSHXcf");
const batchEnds = new Set([QUERY, SYNC, FLUSH, COPY_DONE, COPY_FAIL]);

/**
 * Serves the embedded database at a Unix socket that only this user can open.
 * @param {import("@electric-sql/pglite").PGlite} database
 * @param {string} path
 * @returns {Promise<{ close(): Promise<void> }>}
 */
export async function postgresSocket(database, path) {
  const queue = backendQueue(database);
  const server = createServer((socket) => serve(socket, queue));
  server.maxConnections = MOST_CONNECTIONS;
  /** @type {Set<import("node:net").Socket>} */
  const sockets = new Set();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(path, () => resolve(undefined)));
  await chmod(path, 0o600);
  return {
    async close() {
      server.close();
      await queue.stop();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/**
 * Queues batches for the database and runs one at a time, in order. While a connection has a transaction open, only its
 * own batches run.
 * @param {import("@electric-sql/pglite").PGlite} database
 */
function backendQueue(database) {
  /**
   * @typedef {object} Batch
   * @property {object} owner the connection
   * @property {Buffer[]} messages
   * @property {(bytes: Buffer) => void} answer
   * @property {(inTransaction: boolean) => void} ended
   * @property {() => void} failed
   */
  /** @type {Batch[]} */
  const waiting = [];
  /** @type {object | undefined} */
  let owner;
  let isRunning = false;
  let running = Promise.resolve();
  let isStopped = false;

  function start() {
    if (!isRunning) running = drain();
  }

  async function drain() {
    isRunning = true;
    for (let batch = next(); batch; batch = next()) {
      try {
        owner = (await run(batch)) ? undefined : batch.owner;
        batch.ended(owner !== undefined);
      } catch {
        owner = batch.owner;
        batch.failed();
        await forget(batch.owner);
      }
    }
    isRunning = false;
  }

  function next() {
    const at = owner === undefined ? 0 : waiting.findIndex((batch) => batch.owner === owner);
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  }

  /**
   * True when the backend is idle afterwards, outside any transaction.
   * @param {Batch} batch
   */
  async function run({ messages, answer }) {
    let last = Buffer.alloc(0);
    await database.runExclusive(async () => {
      await database.execProtocolRawStream(Buffer.concat(messages), {
        onRawData: (data) => {
          const bytes = Buffer.from(data); // a copy: the original lies in the memory of WebAssembly
          last = bytes.length >= 6 ? bytes : Buffer.concat([last, bytes]);
          answer(bytes);
        },
      });
    });
    return last.subarray(-6).equals(READY_AND_IDLE);
  }

  /** @param {object} gone */
  async function forget(gone) {
    for (let at = waiting.length - 1; at >= 0; at--) if (waiting[at]?.owner === gone) waiting.splice(at, 1);
    if (owner !== gone) return;
    await database.exec("ROLLBACK").catch(() => undefined);
    owner = undefined;
  }

  return {
    /** @param {Batch} batch */
    add(batch) {
      if (isStopped) return;
      waiting.push(batch);
      start();
    },
    /** @param {object} gone */
    async leave(gone) {
      await running;
      await forget(gone);
      start();
    },
    async stop() {
      isStopped = true;
      waiting.length = 0;
      await running;
    },
  };
}

const READY_AND_IDLE = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/**
 * Speaks PostgreSQL's protocol on one connection, and queues its messages in batches.
 * @param {import("node:net").Socket} socket
 * @param {ReturnType<typeof backendQueue>} queue
 */
function serve(socket, queue) {
  const owner = {};
  let isStarted = false;
  let received = Buffer.alloc(0);
  /** @type {Buffer[]} */
  let batch = [];
  /** @type {NodeJS.Timeout | undefined} */
  let idle;

  socket.on("data", (chunk) => {
    clearTimeout(idle);
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    for (let message = take(); message; message = take()) receive(message);
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    clearTimeout(idle);
    void queue.leave(owner);
  });

  function take() {
    const length = isStarted ? 1 : 0;
    if (received.length < length + 4) return undefined;
    const size = length + received.readUInt32BE(length);
    if (received.length < size) return undefined;
    const message = received.subarray(0, size);
    received = received.subarray(size);
    return message;
  }

  /** @param {Buffer} message */
  function receive(message) {
    if (!isStarted) return begin(message);
    if (message[0] === TERMINATE) return socket.end();
    batch.push(message);
    if (batchEnds.has(message[0])) send();
  }

  /** @param {Buffer} message */
  function begin(message) {
    const code = message.length >= 8 ? message.readUInt32BE(4) : 0;
    if (code === STARTUP_CODES.ssl || code === STARTUP_CODES.gss) return socket.write("N");
    if (code !== STARTUP_CODES.protocol3) return socket.destroy(); // a cancel request, or not PostgreSQL
    isStarted = true;
    batch.push(message);
    send();
  }

  function send() {
    queue.add({
      owner,
      messages: batch,
      answer: (bytes) => socket.writable && socket.write(bytes),
      ended: (inTransaction) => {
        if (inTransaction) idle = setTimeout(() => socket.destroy(), LONGEST_IDLE_TRANSACTION).unref();
      },
      failed: () => socket.destroy(),
    });
    batch = [];
  }
}
