import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that systems give to whoever names none (from 32768 on Linux, 49152 elsewhere): a program that has stopped, or has not
 * begun to listen, finds its port free, because no connection and no other server of these tests was given it in the meantime.
 */
const FIRST = 12_000;
const LAST = 32_000;

/** A port of the loopback at which nothing listens, for a program that has to be told one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const listening = once(probe, "listening").then(
    () => true,
    () => false,
  );
  probe.listen(port, "127.0.0.1");
  if (!(await listening)) return false;
  probe.close();
  await once(probe, "close");
  return true;
}
