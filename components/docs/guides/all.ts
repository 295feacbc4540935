import type { Source } from "@/components/docs/generated/all";
import type { Guide } from "@/components/docs/guide";
import { filesVersion, fileText, operatorFiles } from "@/components/docs/guides/files";
import { guideOf } from "@/components/docs/guides/parse";
import { pathOf, servedText, withLinks } from "@/components/docs/guides/text";
import { providerTraits } from "@/server/domain/providers";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

export interface GuideGroup {
  name: string;
  guides: Guide[];
}

/** The files of docs/guides by purpose, in the order of the navigation. */
const groups = [
  {
    name: "Get started",
    files: ["quickstart", "concepts", "authentication", "webhooks", "changes", "status", "sandbox", "going-live"],
  },
  {
    name: "Events",
    files: [
      "changing-events",
      "time-zones",
      "recurrence",
      "guests",
      "meeting-links",
      "scheduling",
      "subscriptions",
      "feeds",
      "organizations",
      "providers",
    ],
  },
  { name: "Clients", files: ["client-libraries", "assistants", "compatibility"] },
  { name: "Details", files: ["errors", "limits"] },
] as const;

export type GuideName = (typeof groups)[number]["files"][number];

/** Shorter names for the navigation. */
const shortNames: Partial<Record<GuideName, string>> = {
  recurrence: "Recurrence",
  guests: "Guests",
  scheduling: "Find time and book",
  subscriptions: "Subscriptions",
  feeds: "Feeds",
  organizations: "Organizations",
  providers: "Providers",
  assistants: "AI assistants",
  compatibility: "Compatibility",
};

let latest: { document: OpenApiDocument; version: number; groups: GuideGroup[] } | undefined;

/** Returns the guides by purpose, in the order of the navigation. They are read once per document. */
export function guideGroups(document: OpenApiDocument): GuideGroup[] {
  const version = filesVersion();
  if (latest?.document !== document || latest.version !== version)
    latest = { document, version, groups: readGroups(document) };
  return latest.groups;
}

function readGroups(document: OpenApiDocument): GuideGroup[] {
  return [
    ...groups.map(({ name, files }) => ({ name, guides: files.map((file) => guideNamed(file, document)) })),
    { name: "Operate", guides: [...operatorGuides(), changelog()] },
  ];
}

/**
 * Returns the guides that differ between services: in their addresses, their providers, and whether they have a
 * sandbox.
 */
export function guides(document: OpenApiDocument): Guide[] {
  return guideNames.map((name) => guideNamed(name, document));
}

/** Returns all guides, including those that are the same on each service. */
export function allGuides(document: OpenApiDocument): Guide[] {
  return guideGroups(document).flatMap((group) => group.guides);
}

/** Reads a guide as this service words it. */
export function guideNamed(
  name: GuideName,
  document: OpenApiDocument,
  traits: Source["traits"] = providerTraits,
): Guide {
  const text = servedText(fileText(guideFile(name)), { document, traits });
  return guideOf(text, { name: shortNames[name], path: pathOf(name) });
}

export function guideFile(name: GuideName): string {
  return `docs/guides/${name}.md`;
}

export const guideNames: readonly GuideName[] = groups.flatMap(({ files }) => files);

/** Reads the guides for operators, which are in docs/ itself and the same on each service. */
function operatorGuides(): Guide[] {
  return operatorFiles().map((name) => guideOf(withLinks(fileText(`docs/${name}.md`)), { path: pathOf(name) }));
}

function changelog(): Guide {
  const guide = guideOf(withLinks(fileText("CHANGELOG.md")), { path: "/docs/changelog" });
  return { ...guide, lead: guide.lead || "What is new in each version." };
}
