import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type DashboardPolicyInput, dashboardPolicy } from "@/server/domain/net/content-security-policy";

const NONCE_BYTES = 16;
const PAGES = /^\/(?:dashboard|docs)(?:\/|$)/;
/** Pages of Next's. Route handlers that return HTML set a policy of their own. */
const NEXTS = /^\/dashboard(?:\/|$)/;

/**
 * Reports whether a path is a page or stands among them. Pages are only read: the dashboard's forms and calls go to
 * /api.
 */
export function isAmongPages(pathname: string): boolean {
  return isOf(PAGES, pathname);
}

function isOf(paths: RegExp, pathname: string): boolean {
  return paths.test(pathname) || paths.test(decodeURIComponent(pathname));
}

/**
 * Sets what a page of Next's may do. Next reads the nonce from the *request's* header of that name, so that one is set too, and what a
 * caller sent there is dropped.
 */
export function pagePolicy(options: Omit<DashboardPolicyInput, "nonce">) {
  return (pathname: string, req: IncomingMessage, res: ServerResponse): void => {
    delete req.headers["content-security-policy"];
    delete req.headers["content-security-policy-report-only"];
    if (!isOf(NEXTS, pathname)) return;
    req.headers["x-almanac-path"] = req.url; // a server component does not know its path
    req.headers["user-agent"] ||= "unknown"; // without one Next sends the title after the page, whatever `htmlLimitedBots` says
    const nonce = randomBytes(NONCE_BYTES).toString("base64");
    const policy = dashboardPolicy({ nonce, ...options });
    req.headers["content-security-policy"] = policy;
    res.setHeader("Content-Security-Policy", policy);
    res.setHeader("Referrer-Policy", "same-origin");
    res.setHeader("X-Frame-Options", "DENY");
    res.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    res.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  };
}

export type PagePolicy = ReturnType<typeof pagePolicy>;
