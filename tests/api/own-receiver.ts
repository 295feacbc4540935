import { afterAll, beforeAll } from "vitest";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { ownDatabase } from "./own-database";

/** A database and a receiver for this file alone; notifications may go to the receiver. Call it where the file begins. */
export function ownReceiver(env: Record<string, string> = {}): Receiver {
  let started: Receiver;
  beforeAll(async () => {
    started = await startReceiver();
  });
  ownDatabase(() => ({ CALLBACK_ALLOWED_ORIGINS: started.origin, ...env }));
  afterAll(() => started.close());
  return {
    get origin() {
      return started.origin;
    },
    get got() {
      return started.got;
    },
    url: (path) => started.url(path),
    next: (fits, withinMs) => started.next(fits, withinMs),
    answer: (status) => started.answer(status),
    close: () => started.close(),
  };
}
