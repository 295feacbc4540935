import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { dispatcher } from "@/server/webhooks/dispatcher";
import { fanOut } from "@/server/webhooks/fan-out";

const PATIENCE_MS = 120_000;

/** Attempts everything that is due as the service does it. Gives how long it took, in milliseconds. */
export function oursDrain(): () => Promise<number> {
  const { drain } = dispatcher({ db, allowedOrigins: env().CALLBACK_ALLOWED_ORIGINS });
  return () => timing(() => drain(PATIENCE_MS));
}

/** Turns due signals into deliveries until none is due, or others have the rest. Gives how long it took, in milliseconds. */
export function oursFanOut(): Promise<number> {
  return timing(async () => void (await fanOut(db())));
}

async function timing(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
