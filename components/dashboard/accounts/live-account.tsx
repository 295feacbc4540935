"use client";

import { useLive } from "@/components/dashboard/live/live";
import { staffClient } from "@/components/dashboard/staff-client";

/** Keeps the page of an account up to date: a requested sync ends while somebody looks. */
export function LiveAccount({ id, seen }: { id: string; seen: unknown }) {
  return useLive(() => staffClient.accounts.get.query({ id }), id, seen);
}

/** Keeps the peek at an account up to date. */
export function LivePeek({ id, seen }: { id: string; seen: unknown }) {
  return useLive(() => staffClient.accounts.head.query({ id }), id, seen);
}
