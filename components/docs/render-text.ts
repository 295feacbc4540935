import { llmsFullText, llmsText } from "@/components/docs/llms";
import { docsPages } from "@/components/docs/pages";
import { withAddresses } from "@/components/docs/written/parts";
import { env } from "@/server/env";
import type { RenderedDocs } from "@/server/http/docs/endpoint";
import { servedDocument } from "@/server/http/openapi/served";

/** GET /docs.md: the first page as Markdown. */
export async function quickstartText(): Promise<RenderedDocs> {
  const [first] = docsPages(servedDocument());
  const text = withAddresses((await first?.markdown()) ?? "", env().APP_URL);
  return { status: 200, type: "text/markdown", text };
}

/** GET /llms.txt */
export async function llms(): Promise<RenderedDocs> {
  const document = servedDocument();
  return { status: 200, type: "text/plain", text: llmsText(document, docsPages(document), env().APP_URL) };
}

/** GET /llms-full.txt */
export async function llmsFull(): Promise<RenderedDocs> {
  const text = await llmsFullText(docsPages(servedDocument()), env().APP_URL);
  return { status: 200, type: "text/plain", text };
}
