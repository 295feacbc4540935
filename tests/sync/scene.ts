import { afterAll, beforeAll } from "vitest";
import { type Radicale, startRadicale } from "../fakes/radicale";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { startXandikos, type Xandikos } from "../fakes/xandikos";
import { fileEnvironment } from "./file-environment";

/** Programs begin, which takes its time on a busy machine. */
const PATIENCE_MS = 300_000;

export interface Scene {
  radicale: Radicale;
  receiver: Receiver;
}

/** A server and a receiver of notifications for one file. What is in it can be used once tests run. */
export function scene(options: { schedules?: boolean } = {}): Scene {
  const made = {} as Scene;
  beforeAll(async () => {
    [made.receiver, made.radicale] = await Promise.all([startReceiver(), startRadicale(undefined, undefined, options)]);
  }, PATIENCE_MS);
  fileEnvironment(() => ({
    CALLBACK_ALLOWED_ORIGINS: made.receiver.origin,
    ICLOUD_CALDAV_URL: made.radicale.url,
    LOG_LEVEL: "error",
  }));
  afterAll(() => Promise.all([made.receiver, made.radicale].map((one) => one?.close())));
  return made;
}

/** The same with another server beside it. */
export function sceneOfServers(options: { schedules?: boolean } = {}): Scene & { xandikos: Xandikos } {
  const made = scene(options) as ReturnType<typeof sceneOfServers>;
  beforeAll(async () => {
    made.xandikos = await startXandikos();
  }, PATIENCE_MS);
  afterAll(() => made.xandikos?.close());
  return made;
}

export type Server = Radicale | Xandikos;
