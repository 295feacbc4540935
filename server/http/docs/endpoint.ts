import { createHash } from "node:crypto";
import { type SiteFiles, siteFiles } from "@/server/http/docs/site-files";
import { endpoint } from "@/server/http/endpoint";
import { openExchange } from "@/server/http/exchange";

type Context = { params: Promise<{ page?: string[] }> };

export interface DocsView {
  /** `/docs/webhooks`, or `/docs/webhooks.md` for its Markdown. */
  path: string;
  files: SiteFiles;
}

export interface RenderedDocs {
  status: 200 | 404;
  type: "text/html" | "text/markdown" | "text/plain";
  text: string;
}

export type RenderDocs = (view: DocsView) => Promise<RenderedDocs>;

const others = endpoint([], "GET, HEAD");

/** The exports of the documentation's route: pages of plain HTML, the same for everybody, with one script; and their Markdown. */
export function docsEndpoint(render: RenderDocs) {
  const open = async (request: Request, { params }: Context): Promise<Response> => {
    const { page = [] } = await params;
    const files = await siteFiles();
    const { status, type, text } = await render({ path: ["/docs", ...page].join("/"), files });
    if (type !== "text/html") return sent(request, { status, type, text });
    return sent(request, { status, type, text: `<!DOCTYPE html>${text}` }, pageHeaders(files));
  };
  return { ...others, GET: open, HEAD: open };
}

/** The exports of a route that is one text of the documentation. */
export function docsTextEndpoint(render: () => Promise<RenderedDocs>) {
  const open = async (request: Request): Promise<Response> => sent(request, await render());
  return { ...others, GET: open, HEAD: open };
}

/** The text, or 304 to who has it. */
function sent(request: Request, { status, type, text }: RenderedDocs, more: Record<string, string> = {}): Response {
  const etag = `"${digest(text).slice(0, 22)}"`;
  const headers = {
    ...openExchange(request).headers,
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    ...more,
    etag,
  };
  const known = (request.headers.get("if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (status === 200 && known.includes(etag)) return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : text, {
    status,
    headers: { ...headers, "content-type": `${type}; charset=utf-8` },
  });
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
    "content-security-policy": policy.join("; "),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
  };
}

function digest(text: string, encoding: "base64" | "base64url" = "base64url"): string {
  return createHash("sha256").update(text).digest(encoding);
}
