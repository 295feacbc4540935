import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Prints three ports that nobody listens on, for the service, for what stands outside of it and for an application. They are below those that the system
 * gives to connections by itself, so that none of these takes one before it is used, or between two uses.
 */
const LOWEST = 20_000;
const HOW_MANY = 12_000;

const found = [];
for (let step = 0; found.length < 3 && step < HOW_MANY; step += 1) {
  const port = LOWEST + ((process.pid + step) % HOW_MANY);
  if (await isFree(port)) found.push(port);
}
process.stdout.write(found.join(" "));

async function isFree(port) {
  return (await isFreeOn(port, "127.0.0.1")) && (await isFreeOn(port, "::1"));
}

async function isFreeOn(port, host) {
  const server = createServer().listen(port, host);
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
