import type { Guide, Section } from "@/components/docs/guide";
import { guides } from "@/components/docs/guides/all";
import { plainText } from "@/components/docs/markdown-parts";
import { operationPath, operations } from "@/components/docs/operations";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

/** One place that a search may lead to. */
export interface SearchResult {
  title: string;
  /** What it is part of: "Webhooks", "POST /v1/channels". */
  where: string;
  path: string;
  /** What else it is found by. */
  words: string;
}

/** All there is to search: sections of guides, endpoints with their fields, keys of errors. */
export function searchIndex(document: OpenApiDocument): SearchResult[] {
  return [
    ...guides(document).flatMap((guide) => [
      pageOf(guide),
      ...guide.sections.map((section) => sectionOf(guide, section)),
    ]),
    {
      title: "API overview",
      where: "Reference",
      path: "/docs/reference",
      words: "openapi authentication conventions",
    },
    ...operations(document).map(({ operation, method, path }) => ({
      title: operation.summary,
      where: `${method} ${path}`,
      path: operationPath(operation.operationId),
      words: `${operation.operationId} ${fieldNames(document, operation).join(" ")} ${plainText(operation.description)}`,
    })),
    ...Object.entries(document["x-error-keys"]).map(([key, means]) => ({
      title: key,
      where: "Errors",
      path: `/docs/errors#${key}`,
      words: plainText(means),
    })),
  ];
}

function pageOf({ name, title, path, lead }: Guide): SearchResult {
  return { title, where: name, path, words: plainText(lead) };
}

function sectionOf({ name, path }: Guide, { id, title, blocks }: Section): SearchResult {
  const texts = blocks.map((block) => {
    if (typeof block === "string") return plainText(block);
    return "text" in block ? block.name : block.list;
  });
  return { title, where: name, path: `${path}#${id}`, words: `${id} ${texts.join(" ")}` };
}

/** The names of the fields and parameters that a request has. */
function fieldNames(
  document: OpenApiDocument,
  operation: ReturnType<typeof operations>[number]["operation"],
): string[] {
  const [content] = Object.values(operation.requestBody?.content ?? {});
  const name = content?.schema.$ref?.split("/").at(-1) as keyof typeof document.components.schemas | undefined;
  const schema = name ? document.components.schemas[name] : undefined;
  const ways = schema?.anyOf ?? (schema ? [schema] : []);
  const fields = ways.flatMap(({ properties = {} }) => Object.keys(properties));
  return [...new Set([...(operation.parameters ?? []).map((parameter) => parameter.name), ...fields])];
}
