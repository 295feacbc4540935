import { createHash } from "node:crypto";
import { type SiteFiles, siteFiles } from "@/server/http/docs/site-files";
import { endpoint } from "@/server/http/endpoint";
import { openExchange } from "@/server/http/exchange";

type Context = { params: Promise<{ page?: string[] }> };

export interface DocsView {
  /** `/docs/webhooks`. */
  path: string;
  files: SiteFiles;
}

export interface RenderedDocs {
  status: 200 | 404;
  markup: string;
}

export type RenderDocs = (view: DocsView) => Promise<RenderedDocs>;

const others = endpoint([], "GET, HEAD");

/** The exports of the documentation's route: pages of plain HTML, the same for everybody, with one script. */
export function docsEndpoint(render: RenderDocs) {
  const open = async (request: Request, { params }: Context): Promise<Response> => {
    const { page = [] } = await params;
    const files = await siteFiles();
    const { status, markup } = await render({ path: ["/docs", ...page].join("/"), files });
    const etag = `"${digest(markup).slice(0, 22)}"`;
    const headers = { ...openExchange(request).headers, ...pageHeaders(files), etag };
    const known = (request.headers.get("if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
    if (status === 200 && known.includes(etag)) return new Response(null, { status: 304, headers });
    return new Response(request.method === "HEAD" ? null : `<!DOCTYPE html>${markup}`, {
      status,
      headers: { ...headers, "content-type": "text/html; charset=utf-8" },
    });
  };
  return { ...others, GET: open, HEAD: open };
}

/** Runs our scripts alone, and talks to this origin alone. */
function pageHeaders({ first, menu }: SiteFiles): Record<string, string> {
  const inline = [first, menu].map((script) => `'sha256-${digest(script, "base64")}'`);
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${inline.join(" ")}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "cache-control": "no-cache",
    "content-security-policy": policy.join("; "),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  };
}

function digest(text: string, encoding: "base64" | "base64url" = "base64url"): string {
  return createHash("sha256").update(text).digest(encoding);
}
