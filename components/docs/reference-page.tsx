import { PageHead, SectionTitle } from "@/components/docs/heading";
import { introductionLead, introductionPart } from "@/components/docs/introduction";
import { Markdown } from "@/components/docs/markdown";
import { MethodPath } from "@/components/docs/method";
import { operationGroups, operationPath } from "@/components/docs/operations";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

/** Lists every endpoint by group, after what applies to all of them. */
export function ReferencePage({ document }: { document: OpenApiDocument }) {
  return (
    <div className="mx-auto max-w-270 px-10 pt-10 pb-14 max-sm:px-4 max-sm:pt-6 print:p-0">
      <PageHead title="API overview" path="/docs/reference">
        <p className="mt-3 max-w-180 text-16 text-faint text-pretty">{introductionLead(document)}</p>
      </PageHead>
      <p className="prose-docs mt-3 text-14">
        Also available as an OpenAPI 3.1 document, <a href="/openapi.json">/openapi.json</a>, and as a collection for
        Postman, Bruno or Insomnia, <a href="/openapi/postman.json">/openapi/postman.json</a>
      </p>
      {operationGroups(document).map(({ name, description, operations }) => (
        <section key={name} aria-labelledby={idOf(name)} className="mt-10 grid grid-cols-1 gap-3">
          <SectionTitle id={idOf(name)}>{name}</SectionTitle>
          <p className="text-14 text-faint">{description}</p>
          <ul className="border-t">
            {operations.map(({ operation, method, path }) => (
              <li
                key={operation.operationId}
                className="relative grid gap-x-6 border-b py-2 hover:bg-hover md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] md:items-baseline"
              >
                <a href={operationPath(operation.operationId)} className="row-link text-14">
                  {operation.summary}
                </a>
                <MethodPath method={method} path={path} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {["Conventions", "Authentication"].map((title) => (
        <section key={title} aria-labelledby={idOf(title)} className="mt-10 grid max-w-180 grid-cols-1 gap-3">
          <SectionTitle id={idOf(title)}>{title}</SectionTitle>
          <Markdown text={introductionPart(document, title)} />
        </section>
      ))}
    </div>
  );
}

function idOf(name: string): string {
  return name.toLowerCase().replaceAll(" ", "-");
}
