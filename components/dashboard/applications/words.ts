import type { ApplicationRow, Traffic } from "@/server/services/staff/applications/shapes";

export const APPLICATIONS = "/dashboard/applications";

export const planWords: Record<ApplicationRow["plan"], string> = { standard: "Standard", developer: "Developer" };

export const redirectUriRule =
  "https, or http on localhost, 127.0.0.1 or [::1]. No fragment or credentials. Must match exactly.";

export const compatibilityWords = "Cronofy-compatible responses and signatures, for existing Cronofy SDK clients";

/** Sums the requests of the 24 hours. */
export function requestsOf({ requestsPerHour }: Traffic): number {
  return requestsPerHour.reduce((sum, count) => sum + count, 0);
}
