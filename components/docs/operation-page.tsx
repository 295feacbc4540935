import type { ReactNode } from "react";
import { ErrorList } from "@/components/docs/error-list";
import { examplesOf, type ShownExample, type Visit } from "@/components/docs/examples";
import { ExamplesPanel } from "@/components/docs/examples-panel";
import { FieldList } from "@/components/docs/field-list";
import { fieldOf, type Shape, shapes } from "@/components/docs/fields";
import { PageHead, SectionTitle } from "@/components/docs/heading";
import { Line, Markdown, Rows } from "@/components/docs/markdown";
import { MethodPath } from "@/components/docs/method";
import { type Operation, operationPath } from "@/components/docs/operations";
import type { OpenApiDocument, Parameter, ResponseObject } from "@/server/http/openapi/document-shape";

interface OperationPageProps {
  document: OpenApiDocument;
  located: Operation;
  /** The statuses of responses without a body, by the example's name. */
  statuses: Readonly<Record<string, number>>;
  /** What trying an example needs, by its name. */
  visits: Readonly<Record<string, Visit>>;
  /** Whether visitors can try the examples. */
  isTried: boolean;
}

/** Shows one endpoint: what it accepts and returns on the left, requests to copy on the right. */
export function OperationPage({ document, located, statuses, visits, isTried }: OperationPageProps) {
  const { operation, method, path, isNotification } = located;
  const examples: ShownExample[] = examplesOf(located, statuses, visits);
  const [content] = Object.values(operation.requestBody?.content ?? {});
  const takesForms = "application/x-www-form-urlencoded" in (operation.requestBody?.content ?? {});
  const parameters = (where: Parameter["in"]) => (operation.parameters ?? []).filter((each) => each.in === where);
  return (
    <div className="mx-auto max-w-330 px-10 pt-10 pb-14 max-sm:px-4 max-sm:pt-6 print:p-0">
      <PageHead title={operation.summary} path={operationPath(operation.operationId)} above={operation.tags.join(", ")}>
        <p className="mt-3">
          <MethodPath method={method} path={path} />
        </p>
      </PageHead>
      <div className="mt-6 gap-12 xl:grid xl:grid-cols-[minmax(0,1fr)_minmax(0,min(48%,560px))] print:block">
        <div className="grid grid-cols-1 content-start gap-10">
          <Markdown text={operation.description} />
          <Parameters document={document} title="Path" parameters={parameters("path")} />
          <Parameters document={document} title="Query" parameters={parameters("query")} />
          <Parameters document={document} title="Headers" parameters={parameters("header")} />
          {content && (
            <Part id="body" title="Body">
              <p className="text-13 text-faint">{takesForms ? "JSON or form" : "JSON"}</p>
              <Shapes shapes={shapes(document, content.schema)} />
            </Part>
          )}
          <Responses document={document} responses={operation.responses} isNotification={isNotification} />
        </div>
        <section aria-labelledby="examples" className="max-xl:mt-10">
          <div className="grid grid-cols-1 gap-3 xl:sticky xl:top-6 xl:max-h-[calc(100dvh-48px)] xl:overflow-y-auto xl:p-0.5 print:max-h-none">
            <SectionTitle id="examples">{isNotification ? "Example notifications" : "Examples"}</SectionTitle>
            <ExamplesPanel examples={examples} isTried={isTried} />
          </div>
        </section>
      </div>
    </div>
  );
}

interface ParametersProps {
  document: OpenApiDocument;
  title: string;
  parameters: readonly Parameter[];
}

function Parameters({ document, title, parameters }: ParametersProps) {
  if (parameters.length === 0) return null;
  const fields = parameters.map(({ name, schema, required, description }) =>
    fieldOf(document, { name, schema, isRequired: required, description }),
  );
  return (
    <Part id={title.toLowerCase()} title={title}>
      <FieldList fields={fields} />
    </Part>
  );
}

function Shapes({ shapes: all }: { shapes: readonly Shape[] }) {
  return all.map(({ title, fields }) => (
    <div key={title} className="grid grid-cols-1 gap-2">
      {title && (
        <h3 className="prose-docs text-14 font-medium">
          <Line text={title} />
        </h3>
      )}
      <FieldList fields={fields} />
    </div>
  ));
}

interface ResponsesProps {
  document: OpenApiDocument;
  responses: Record<string, ResponseObject>;
  isNotification: boolean;
}

function Responses({ document, responses, isNotification }: ResponsesProps) {
  const [first] = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    /^2/.test(status) && content["application/json"] ? [content["application/json"].schema] : [],
  );
  const errors = responses["422"]?.["x-error-keys"] ?? [];
  const rows = Object.entries(responses).map(([status, { description }]) => [
    status === "default" ? "other" : status.toLowerCase(),
    description,
  ]);
  return (
    <>
      <Part id="responses" title={isNotification ? "Your response" : "Responses"}>
        <Rows head={["Status", "Meaning"]} rows={rows} />
        {first && (
          <>
            <h3 className="mt-2 text-14 font-medium">Response fields</h3>
            <Shapes shapes={shapes(document, first)} />
          </>
        )}
      </Part>
      {errors.length > 0 && (
        <Part id="error-keys" title="Error keys">
          <ErrorList errors={errors} />
        </Part>
      )}
    </>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-3">
      <SectionTitle id={id}>{title}</SectionTitle>
      {children}
    </section>
  );
}
