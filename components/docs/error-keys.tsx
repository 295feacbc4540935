import { errorAdvice } from "@/components/docs/error-advice";
import { Line, Rows } from "@/components/docs/markdown";
import { operationPath, operations } from "@/components/docs/operations";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

/** Lists every key of a 422: what it means, what to do, and which endpoints return it. */
export function ErrorKeys({ document }: { document: OpenApiDocument }) {
  return (
    <ul className="border-t">
      {errorEntries(document).map(({ key, means, advice, rows }) => (
        <li key={key} className="grid grid-cols-1 gap-1.5 border-b py-4">
          <h3 id={key} className="scroll-mt-6 max-lg:scroll-mt-18">
            <a href={`#${key}`} className="font-mono text-14 font-medium hover:text-accent">
              {key}
            </a>
          </h3>
          <div className="prose-docs">
            <p>
              <Line text={means} />
            </p>
            <p className="text-faint">
              <Line text={advice} />
            </p>
          </div>
          {rows.length > 0 && (
            <details>
              <summary className="folds w-max rounded-sm text-13 text-faint hover:text-ink">
                Returned in {rows.length === 1 ? "1 case" : `${rows.length} cases`}
              </summary>
              <div className="pt-2">
                <Rows label={`Where ${key} is returned`} head={["Route", "Field", "When"]} rows={rows} />
              </div>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Lists each key with what to do, and the cases in which it is returned. */
export function errorEntries(document: OpenApiDocument) {
  const places = operations(document).flatMap(({ operation }) =>
    (operation.responses["422"]?.["x-error-keys"] ?? []).map((error) => ({ ...error, operation })),
  );
  return Object.entries(document["x-error-keys"]).map(([key, means]) => ({
    key,
    means,
    advice: errorAdvice(key),
    rows: places
      .filter((place) => place.key === key)
      .map(({ operation, field, when }) => [
        `[${operation.summary}](${operationPath(operation.operationId)})`,
        `\`${field}\``,
        when,
      ]),
  }));
}
