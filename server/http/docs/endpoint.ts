import { createHash } from "node:crypto";
import { docsPolicy } from "@/server/domain/net/content-security-policy";
import { docsFile, type SiteFiles, siteFiles } from "@/server/http/docs/site-files";
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

/**
 * Builds the exports of the documentation's route: pages of plain HTML, the same for everybody, with one script; and
 * their Markdown.
 */
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

/** Builds the exports of a route that is one text of the documentation. */
export function docsTextEndpoint(render: () => Promise<RenderedDocs>, headers?: Record<string, string>) {
  const respond = keptTexts();
  const open = async (request: Request): Promise<Response> => {
    const make = async () => made(await render(), headers);
    return respond(request, { name: "text", version: documentVersion(), make });
  };
  return { ...others, GET: open, HEAD: open };
}

/** Builds the exports of the route for the style and the script of the documentation's pages. */
export function docsFileEndpoint() {
  const nothing = endpoint([]);
  const open = async (request: Request, context: { params: Promise<{ name: string }> }): Promise<Response> => {
    const { name } = await context.params;
    return (await docsFile(request, name)) ?? nothing.GET(request, context);
  };
  return { ...nothing, GET: open };
}

function versionOf({ compiledAt }: SiteFiles): string {
  return `${documentVersion()} ${compiledAt}`;
}

function made({ status, type, text }: RenderedDocs, headers: Record<string, string> = {}): MadeText {
  return { status, type: `${type}; charset=utf-8`, text, headers: { "cache-control": "no-cache", ...headers } };
}

function pageHeaders({ first, menu }: SiteFiles): Record<string, string> {
  return {
    "content-security-policy": docsPolicy([first, menu].map(digest)),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
