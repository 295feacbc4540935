"use client";

import { useLive } from "@/components/dashboard/live/live";
import { staffClient } from "@/components/dashboard/staff-client";

/** Keeps the figures up to date. */
export function LiveOverview({ seen }: { seen: unknown }) {
  return useLive(() => staffClient.overview.show.query(), "overview", seen);
}
