import { llmsFullText, llmsText } from "@/components/docs/llms";
import { freshPages } from "@/components/docs/pages";
import { searchIndex } from "@/components/docs/search-index";
import { withAddresses } from "@/components/docs/written/parts";
import { env } from "@/server/env";
import type { RenderedDocs } from "@/server/http/docs/endpoint";
import { servedDocument } from "@/server/http/openapi/served";

/** Serves GET /docs.md: the first page as Markdown. */
export async function firstText(): Promise<RenderedDocs> {
  const [first] = freshPages();
  const text = withAddresses((await first?.markdown()) ?? "", env().APP_URL);
  return { status: 200, type: "text/markdown", text };
}

/** Serves GET /llms.txt. */
export async function llms(): Promise<RenderedDocs> {
  const document = servedDocument();
  return { status: 200, type: "text/plain", text: llmsText(document, freshPages(), env().APP_URL) };
}

/** Serves GET /llms-full.txt. */
export async function llmsFull(): Promise<RenderedDocs> {
  const text = await llmsFullText(freshPages(), env().APP_URL);
  return { status: 200, type: "text/plain", text };
}

/** Serves GET /docs/search.json. */
export async function search(): Promise<RenderedDocs> {
  return { status: 200, type: "application/json", text: JSON.stringify(searchIndex(servedDocument())) };
}
