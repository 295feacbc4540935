import type { DocsPage } from "@/components/docs/pages";
import { markdownPath, pieces, withAddresses } from "@/components/docs/written/parts";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

/** Writes `llms.txt` (llmstxt.org): a list of the pages, for programs. */
export function llmsText(document: OpenApiDocument, pages: readonly DocsPage[], site: string): string {
  const isReference = ({ path }: DocsPage) => path.startsWith("/docs/reference");
  const list = (some: readonly DocsPage[]) =>
    some.map(({ title, path, about }) => `- [${title}](${site}${markdownPath(path)}): ${about}`).join("\n");
  const text = pieces(
    "# Almanac",
    `> ${document.info.summary}`,
    "## Guides",
    list(pages.filter((page) => !isReference(page))),
    "## API reference",
    list(pages.filter(isReference)),
    "## Optional",
    [
      `- [OpenAPI document](${site}/openapi.json): every endpoint, schema and example as JSON`,
      `- [All pages in one](${site}/llms-full.txt): this documentation as one Markdown file`,
    ].join("\n"),
  );
  return `${text}\n`;
}

/** Writes `llms-full.txt`: every page, one after the other. */
export async function llmsFullText(pages: readonly DocsPage[], site: string): Promise<string> {
  const texts = await Promise.all(pages.map(async ({ markdown }) => withAddresses(await markdown(), site)));
  return texts.join("\n---\n\n");
}
