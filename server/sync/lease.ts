import { clock } from "@/server/clock";

/** How long a claim holds. It is renewed during the work. */
export const LEASE_S = 60;
const RENEW_MS = 20_000;

export interface Lease {
  isHeld(): boolean;
  end(): void;
}

/** Renews a claim periodically. It is lost when `renew` says so, or failed until the claim ran out. */
export function keepLease(renew: () => Promise<boolean>): Lease {
  let until = clock().monotonic() + LEASE_S * 1_000;
  let isLost = false;
  const timer = setInterval(async () => {
    const asked = clock().monotonic();
    const renewed = await renew().catch(() => undefined);
    if (renewed) until = asked + LEASE_S * 1_000;
    if (renewed === false) isLost = true;
  }, RENEW_MS).unref();
  return {
    isHeld: () => !isLost && clock().monotonic() < until,
    end: () => clearInterval(timer),
  };
}
