import { errorAdvice } from "@/components/docs/error-advice";
import type { Guide, Section } from "@/components/docs/guide";
import { allGuides } from "@/components/docs/guides/all";
import { LANDING } from "@/components/docs/landing";
import { linesOf, plainText } from "@/components/docs/markdown-parts";
import { operationPath, operations } from "@/components/docs/operations";
import type { OpenApiDocument, OperationObject } from "@/server/http/openapi/document-shape";

/** One search result. */
export interface SearchResult {
  title: string;
  /** The page it is part of: "Webhooks", "POST /v1/channels". */
  where: string;
  path: string;
  /** Other texts that match it: sentences, rows and entries, one each. */
  lines: string[];
}

/** Builds the search index: sections of guides, endpoints with their fields, keys of errors. */
export function searchIndex(document: OpenApiDocument): SearchResult[] {
  return [
    ...allGuides(document).flatMap((guide) => [
      pageOf(guide),
      ...guide.sections.map((section) => sectionOf(guide, section)),
    ]),
    {
      title: LANDING.title,
      where: LANDING.name,
      path: LANDING.path,
      lines: ["Build, run and operate: where to start."],
    },
    {
      title: "API overview",
      where: "Reference",
      path: "/docs/reference",
      lines: ["Every route by group, as an OpenAPI document, with conventions and authentication."],
    },
    ...operations(document).map(({ operation, method, path }) => ({
      title: operation.summary,
      where: `${method} ${path}`,
      path: operationPath(operation.operationId),
      lines: [
        ...linesOf(operation.description),
        ...parameterLines(operation),
        `${operation.operationId}: ${fieldNames(document, operation).join(", ")}`,
      ],
    })),
    ...Object.entries(document["x-error-keys"]).map(([key, means]) => ({
      title: key,
      where: "Errors",
      path: `/docs/errors#${key}`,
      lines: [...linesOf(means), ...linesOf(errorAdvice(key))],
    })),
  ];
}

function pageOf({ name, title, path, lead }: Guide): SearchResult {
  return { title, where: name, path, lines: linesOf(lead) };
}

function sectionOf({ name, path }: Guide, { id, title, blocks }: Section): SearchResult {
  const lines = blocks.flatMap((block) => {
    if (typeof block === "string") return linesOf(block);
    if ("step" in block) return [block.step];
    return "text" in block ? [block.name] : [block.list];
  });
  return { title: title || name, where: name, path: id ? `${path}#${id}` : path, lines };
}

function parameterLines({ parameters = [] }: OperationObject): string[] {
  return parameters.flatMap(({ name, description }) => (description ? [`${name}: ${plainText(description)}`] : []));
}

/** Lists the names of a request's fields and parameters. */
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
