import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Prints two ports that nobody listens on, for the service and for what stands outside of it. They are below those that the system
 * gives to connections by itself, so that none of these takes one before it is used, or between two uses.
 */
const LOWEST = 20_000;
const HOW_MANY = 12_000;

const found = [];
for (let step = 0; found.length < 2 && step < HOW_MANY; step += 1) {
  const port = LOWEST + ((process.pid + step) % HOW_MANY);
  if (await isFree(port)) found.push(port);
}
process.stdout.write(found.join(" "));

async function isFree(port) {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
