import type { ReactNode } from "react";
import { examplesOf, type Visit } from "@/components/docs/examples";
import { drawnLists, writtenLists } from "@/components/docs/guide-lists";
import { GuidePage } from "@/components/docs/guide-page";
import { allGuides } from "@/components/docs/guides/all";
import { filesVersion } from "@/components/docs/guides/files";
import { LANDING } from "@/components/docs/landing";
import { LandingPage } from "@/components/docs/landing-page";
import { OperationPage } from "@/components/docs/operation-page";
import { findOperation, type Operation, operationPath, operations } from "@/components/docs/operations";
import { ReferencePage } from "@/components/docs/reference-page";
import { writtenGuide } from "@/components/docs/written/guide";
import { writtenLanding } from "@/components/docs/written/landing";
import { writtenOperation } from "@/components/docs/written/operation";
import { writtenReference } from "@/components/docs/written/reference";
import { env } from "@/server/env";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";
import { type Example, known } from "@/server/http/openapi/examples/example";
import { scenario } from "@/server/http/openapi/examples/scenario";
import { servedDocument } from "@/server/http/openapi/served";

export interface DocsPage {
  path: string;
  title: string;
  /** Its subject, in a sentence or two. */
  about: string;
  content: () => Promise<ReactNode>;
  markdown: () => Promise<string>;
}

let latest: { document: OpenApiDocument; version: number; pages: DocsPage[] } | undefined;

/** Returns the pages of the served document, built once for it. */
export function servedPages(): DocsPage[] {
  const document = servedDocument();
  if (latest?.document !== document) latest = { document, version: filesVersion(), pages: docsPages(document) };
  return latest.pages;
}

/** Returns the pages, rebuilt if a file was written since. */
export function freshPages(): DocsPage[] {
  if (latest && latest.version !== filesVersion()) latest = undefined;
  return servedPages();
}

/** Builds every page, in the order of the navigation. */
export function docsPages(document: OpenApiDocument): DocsPage[] {
  const others = otherPages(document);
  return [
    {
      path: LANDING.path,
      title: LANDING.title,
      about: document.info.summary,
      content: async () => <LandingPage about={document.info.summary} places={others} />,
      markdown: async () => writtenLanding(document.info.summary, others),
    },
    ...others,
  ];
}

function otherPages(document: OpenApiDocument): DocsPage[] {
  return [
    ...allGuides(document).map((guide) => ({
      path: guide.path,
      title: guide.title,
      about: guide.lead,
      content: async () => <GuidePage guide={guide} lists={await drawnLists(document, guide)} />,
      markdown: async () => writtenGuide(guide, await writtenLists(document, guide)),
    })),
    {
      path: "/docs/reference",
      title: "API overview",
      about: "Every route by group, and the conventions they share.",
      content: async () => <ReferencePage document={document} />,
      markdown: async () => writtenReference(document),
    },
    ...operations(document).map((located) => operationPage(document, located)),
  ];
}

function operationPage(document: OpenApiDocument, located: Operation): DocsPage {
  const { operationId, summary } = located.operation;
  const own = scenario.filter(({ operation }) => operation === operationId);
  const statuses = Object.fromEntries(own.map(({ name, status }) => [name, status]));
  const visits = Object.fromEntries(own.map((example) => [example.name, visitOf(document, example)]));
  return {
    path: operationPath(operationId),
    title: summary,
    about: `\`${located.method} ${located.path}\``,
    content: async () => (
      <OperationPage {...{ document, located, statuses, visits }} isTried={env().SANDBOX === "on"} />
    ),
    markdown: async () => writtenOperation(document, located, statuses),
  };
}

/** Says what must be created first, because a visitor's new calendar is empty. */
function visitOf(document: OpenApiDocument, { as, body, query, needs }: Example): Visit {
  if (as === "compatibility" || (as === "connected" && body)) return { isBeyond: true };
  if (query?.cursor === known.changesCursor) return { isBeyond: true };
  const write = needs === undefined ? undefined : findOperation(document, "writeEvent");
  const found = write && examplesOf(write, {}).find(({ name }) => name === needs);
  return found?.trial ? { before: { summary: found.summary, call: found.trial } } : {};
}
