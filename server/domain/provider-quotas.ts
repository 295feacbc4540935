import type { Provider } from "@/server/domain/providers";

/** Quotas of requests that this service has at providers. Microsoft 365 and Outlook.com share an app registration. */
export const quotas = ["google", "microsoft"] as const;
export type Quota = (typeof quotas)[number];

/** Returns the quota that a provider counts requests against. Null: none of the whole service. */
export function quotaOf(provider: Provider): Quota | null {
  if (provider === "google") return "google";
  return provider === "microsoft" || provider === "outlook" ? "microsoft" : null;
}

export const providersOf: Readonly<Record<Quota, readonly Provider[]>> = {
  google: ["google"],
  microsoft: ["microsoft", "outlook"],
};

/**
 * Part of the requests of a minute that may be sent at once. The rest comes in evenly, so that no minute has more than
 * the quota.
 */
export const BURST_SHARE = 0.1;

/** Returns how many requests may be sent at once, and how many come in each second, of a share of a quota. */
export function allowance(perMinute: number, share: number): { burst: number; perSecond: number } {
  return {
    burst: Math.max(1, perMinute * BURST_SHARE * share),
    perSecond: (perMinute * (1 - BURST_SHARE) * share) / 60,
  };
}
