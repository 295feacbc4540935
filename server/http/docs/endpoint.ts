import { createHash } from "node:crypto";
import { type SiteFiles, siteFiles } from "@/server/http/docs/site-files";
import { endpoint } from "@/server/http/endpoint";
import { openExchange } from "@/server/http/exchange";
import { keptTexts, type MadeText } from "@/server/http/kept-texts";
import { documentVersion } from "@/server/http/openapi/served";

type Context = { params: Promise<{ page?: string[] }> };

export interface DocsView {
  /** `/docs/webhooks`, or `/docs/webhooks.md` for its Markdown. */
  path: string;
  files: SiteFiles;
}

export interface RenderedDocs {
  status: 200 | 404;
  type: "text/html" | "text/markdown" | "text/plain" | "application/json";
  text: string;
}

export interface Docs {
  has(path: string): boolean;
  /** Of a path that there is not: a page that says so. */
  render(view: DocsView): Promise<RenderedDocs>;
}

const others = endpoint([], "GET, HEAD");
/** Pages that are somewhere else now. */
const moved: Partial<Record<string, string>> = {
  "/docs/production": "/docs/install",
  "/docs/production.md": "/docs/install.md",
};
const NO_PAGE = "/docs/-";

/** The exports of the documentation's route: pages of plain HTML, the same for everybody, with one script; and their Markdown. */
export function docsEndpoint({ has, render }: Docs) {
  const respond = keptTexts();
  const open = async (request: Request, { params }: Context): Promise<Response> => {
    const { page = [] } = await params;
    const asked = ["/docs", ...page].join("/");
    const to = moved[asked];
    if (to) return new Response(null, { status: 308, headers: { ...openExchange(request).headers, location: to } });
    const path = has(asked) ? asked : NO_PAGE;
    const files = await siteFiles();
    const make = async () => {
      const { status, type, text } = await render({ path, files });
      if (type !== "text/html") return made({ status, type, text });
      return made({ status, type, text: `<!DOCTYPE html>${text}` }, pageHeaders(files));
    };
    return respond(request, { name: path, version: versionOf(files), make });
  };
  return { ...others, GET: open, HEAD: open };
}

/** The exports of a route that is one text of the documentation. */
export function docsTextEndpoint(render: () => Promise<RenderedDocs>, headers?: Record<string, string>) {
  const respond = keptTexts();
  const open = async (request: Request): Promise<Response> => {
    const make = async () => made(await render(), headers);
    return respond(request, { name: "text", version: documentVersion(), make });
  };
  return { ...others, GET: open, HEAD: open };
}

function versionOf({ compiledAt }: SiteFiles): string {
  return `${documentVersion()} ${compiledAt}`;
}

function made({ status, type, text }: RenderedDocs, headers: Record<string, string> = {}): MadeText {
  return { status, type: `${type}; charset=utf-8`, text, headers: { "cache-control": "no-cache", ...headers } };
}

/** Runs our scripts alone, and talks to this origin alone. */
function pageHeaders({ first, menu }: SiteFiles): Record<string, string> {
  const inline = [first, menu].map((script) => `'sha256-${digest(script)}'`);
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

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
