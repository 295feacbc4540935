import type { Role } from "@/server/env";

const OF_WORKERS = /^\/(?:health(?:\/.*)?|api\/inngest)$/;

/** Returns a check of which paths exist in a process of this role: a worker's port is not the API's. */
export function servedBy(role: Role): (pathname: string) => boolean {
  return role === "worker" ? (pathname) => OF_WORKERS.test(pathname) : () => true;
}
