import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

const NONCE_BYTES = 16;
const PAGES = /^\/(?:dashboard|docs)(?:\/|$)/;
/** Pages of Next's. Route handlers that return HTML set a policy of their own. */
const NEXTS = /^\/dashboard(?:\/|$)/;

/** Whether a path is a page or stands among them. They are only read: the dashboard's forms and calls go to /api. */
export function isAmongPages(pathname: string): boolean {
  return isOf(PAGES, pathname);
}

function isOf(paths: RegExp, pathname: string): boolean {
  return paths.test(pathname) || paths.test(decodeURIComponent(pathname));
}

export interface PolicyOptions {
  /** Next's reloading evaluates code, and speaks over a web socket. */
  isDev: boolean;
  /** Where a form may end beside here: the issuer of single sign-on. */
  formEnds: readonly string[];
}

/**
 * What a page may do: run the scripts that carry this response's nonce and what those load, and talk to nobody but this origin. Next reads
 * the nonce from the *request's* header of that name, so that one is set too, and what a caller sent there is dropped.
 */
export function pagePolicy({ isDev, formEnds }: PolicyOptions) {
  return (pathname: string, req: IncomingMessage, res: ServerResponse): void => {
    delete req.headers["content-security-policy"];
    delete req.headers["content-security-policy-report-only"];
    if (!isOf(NEXTS, pathname)) return;
    req.headers["x-almanac-path"] = req.url; // a server component does not know its path
    req.headers["user-agent"] ||= "unknown"; // without one Next sends the title after the page, whatever `htmlLimitedBots` says
    const nonce = randomBytes(NONCE_BYTES).toString("base64");
    const policy = [
      "default-src 'none'",
      `script-src 'nonce-${nonce}' 'strict-dynamic'${isDev ? " 'unsafe-eval'" : ""}`,
      `style-src 'self' ${isDev ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
      "img-src 'self' data:",
      "font-src 'self'",
      "frame-src 'self'", // the preview of the connect page
      `connect-src 'self'${isDev ? " ws:" : ""}`,
      ["form-action 'self'", ...formEnds].join(" "),
      "base-uri 'none'",
      "object-src 'none'",
      "frame-ancestors 'none'",
    ].join("; ");
    req.headers["content-security-policy"] = policy;
    res.setHeader("Content-Security-Policy", policy);
    res.setHeader("Referrer-Policy", "same-origin");
    res.setHeader("X-Frame-Options", "DENY");
    res.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    res.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  };
}

export type PagePolicy = ReturnType<typeof pagePolicy>;
