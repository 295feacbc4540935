import type { Role } from "@/server/env";
import type { RouteTable } from "@/server/front-door/route-table";

const OF_WORKERS = /^\/(?:health(?:\/.*)?|api\/inngest)$/;
const NEEDED_BY_WORKERS = ["/health", "/api/inngest"];

/** Which paths exist in a process of this role: a worker's port is not the API's. */
export function servedBy(role: Role): (pathname: string) => boolean {
  return role === "worker" ? (pathname) => OF_WORKERS.test(pathname) : () => true;
}

/** Whether these routes are all that a process of this role serves, so that it needs no Next. */
export function isServedBy(role: Role, routes: RouteTable): boolean {
  return role === "worker" && NEEDED_BY_WORKERS.every((path) => path in routes);
}
