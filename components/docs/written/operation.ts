import { examplesOf, type ShownExample } from "@/components/docs/examples";
import { type Field, fieldOf, shapes } from "@/components/docs/fields";
import type { Operation } from "@/components/docs/operations";
import { pieces, table, written } from "@/components/docs/written/parts";
import type { OpenApiDocument, Parameter } from "@/server/http/openapi/document-shape";

/** Writes an endpoint as Markdown. `statuses` as in `examplesOf`. */
export function writtenOperation(
  document: OpenApiDocument,
  located: Operation,
  statuses: Readonly<Record<string, number>>,
): string {
  const { operation, method, path, isNotification } = located;
  const [content] = Object.values(operation.requestBody?.content ?? {});
  const [success] = Object.entries(operation.responses).flatMap(([status, { content: body = {} }]) =>
    /^2/.test(status) && body["application/json"] ? [body["application/json"].schema] : [],
  );
  const errors = operation.responses["422"]?.["x-error-keys"] ?? [];
  const statusRows = Object.entries(operation.responses).map(([status, { description }]) => [
    status === "default" ? "other" : status.toLowerCase(),
    description,
  ]);
  return pieces(
    `# ${operation.summary}`,
    `\`${method} ${path}\``,
    operation.description,
    parameters(document, "Path", "path", operation.parameters),
    parameters(document, "Query", "query", operation.parameters),
    parameters(document, "Headers", "header", operation.parameters),
    content && pieces("## Body", ...shapesText(document, content.schema)),
    pieces(
      isNotification ? "## Your response" : "## Responses",
      table({ head: ["Status", "Meaning"], rows: statusRows }),
      success && pieces("### Response fields", ...shapesText(document, success)),
    ),
    errors.length > 0 &&
      pieces(
        "## Error keys",
        table({
          head: ["Key", "Field", "When"],
          rows: errors.map(({ key, field, when }) => [`[\`${key}\`](/docs/errors#${key})`, `\`${field}\``, when]),
        }),
      ),
    pieces(
      isNotification ? "## Example notifications" : "## Examples",
      ...examplesOf(located, statuses).map(exampleText),
    ),
  );
}

function parameters(
  document: OpenApiDocument,
  title: string,
  where: Parameter["in"],
  all: readonly Parameter[] = [],
): string | null {
  const own = all.filter((each) => each.in === where);
  if (own.length === 0) return null;
  const fields = own.map(({ name, schema, required, description }) =>
    fieldOf(document, { name, schema, isRequired: required, description }),
  );
  return pieces(`## ${title}`, fieldsText(fields));
}

function shapesText(document: OpenApiDocument, schema: Parameters<typeof shapes>[1]): string[] {
  return shapes(document, schema).map(({ title, fields }) => pieces(title && `**${title}**`, fieldsText(fields)));
}

function fieldsText(fields: readonly Field[], depth = 0): string {
  const lines = fields.map(({ name, kind, isRequired, description, limits, fields: inner }) => {
    const about = `\`${name}\` (${isRequired ? `${kind}, required` : kind})`;
    const said = [description.replace(/\s*\n+\s*/g, " "), limits.length > 0 && `(${limits.join(", ")})`];
    const words = said.filter(Boolean).join(" ");
    const line = `${"  ".repeat(depth)}- ${about}${words && `: ${words}`}`;
    return inner.length > 0 ? `${line}\n${fieldsText(inner, depth + 1)}` : line;
  });
  return lines.join("\n");
}

function exampleText({ summary, request, status, response, instead }: ShownExample): string {
  const nothing = instead && `Response ${status}, ${instead}.`;
  return pieces(`### ${summary}`, written(request), response ? written(response) : nothing);
}
