import type { ReactNode } from "react";
import { ErrorKeys } from "@/components/docs/error-keys";
import type { BlockList } from "@/components/docs/guide";
import { GuidePage } from "@/components/docs/guide-page";
import { guides } from "@/components/docs/guides/all";
import { OperationPage } from "@/components/docs/operation-page";
import { operationPath, operations } from "@/components/docs/operations";
import { Rates } from "@/components/docs/rates";
import { ReferencePage } from "@/components/docs/reference-page";
import { Sample, type SampleText } from "@/components/docs/sample";
import { Sizes } from "@/components/docs/sizes";
import { WebhookCode } from "@/components/docs/webhook-code";
import { clientCode } from "@/server/http/docs/client-code";
import { webhookCode } from "@/server/http/docs/webhook-code";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";
import { scenario } from "@/server/http/openapi/examples/scenario";
import { ACCOUNT, APPLICATION } from "@/server/http/rate-limit/buckets";

export interface DocsPage {
  path: string;
  title: string;
  content: () => Promise<ReactNode>;
}

/** Every page, in the order of the navigation. */
export function docsPages(document: OpenApiDocument): DocsPage[] {
  return [
    ...guides(document).map((guide) => ({
      path: guide.path,
      title: guide.title,
      content: async () => <GuidePage guide={guide} lists={await listsOf(document, guide.sections)} />,
    })),
    {
      path: "/docs/reference",
      title: "API overview",
      content: async () => <ReferencePage document={document} />,
    },
    ...operations(document).map((located) => ({
      path: operationPath(located.operation.operationId),
      title: located.operation.summary,
      content: async () => (
        <OperationPage document={document} located={located} statuses={statusesOf(located.operation.operationId)} />
      ),
    })),
  ];
}

/** What draws the lists of guides. */
const lists: Record<BlockList["list"], (document: OpenApiDocument) => ReactNode | Promise<ReactNode>> = {
  "error keys": (document) => <ErrorKeys document={document} />,
  rates: () => <Rates application={APPLICATION} account={ACCOUNT} />,
  sizes: (document) => <Sizes document={document} />,
  "webhook code": async () => <WebhookCode samples={await webhookCode()} />,
  "typescript code": async () => samples(await clientCode("typescript")),
  "python code": async () => samples(await clientCode("python")),
};

async function listsOf(document: OpenApiDocument, sections: readonly { blocks: readonly unknown[] }[]) {
  const named = sections.flatMap(({ blocks }) => blocks).filter(isList);
  const drawn = named.map(async ({ list }) => [list, await lists[list](document)] as const);
  return Object.fromEntries(await Promise.all(drawn));
}

function isList(block: unknown): block is BlockList {
  return typeof block === "object" && block !== null && "list" in block;
}

function samples(all: readonly SampleText[]): ReactNode {
  return all.map((sample) => <Sample key={sample.name} {...sample} isTall />);
}

/** The statuses of an operation's examples by their names. */
export function statusesOf(id: string): Record<string, number> {
  const own = scenario.filter(({ operation }) => operation === id);
  return Object.fromEntries(own.map(({ name, status }) => [name, status]));
}
