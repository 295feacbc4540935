import { guideGroups } from "@/components/docs/guides/all";
import { LANDING } from "@/components/docs/landing";
import { operationGroups, operationPath } from "@/components/docs/operations";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

export interface NavigationItem {
  name: string;
  path: string;
  /** An endpoint's method. */
  method?: string;
}

export interface NavigationGroup {
  name: string;
  places: NavigationItem[];
}

/** Builds the navigation: guides, then endpoints by group. */
export function navigationGroups(document: OpenApiDocument): NavigationGroup[] {
  const reference = operationGroups(document).map(({ name, operations }) => ({
    name,
    places: operations.map(({ operation, method, isNotification }) => ({
      name: operation.summary.replace(/,.*/, ""),
      path: operationPath(operation.operationId),
      method: isNotification ? "HOOK" : method,
    })),
  }));
  const first = { name: "API overview", path: "/docs/reference" };
  return [
    ...guideGroups(document).map((group, index) => ({
      name: group.name,
      places: [
        ...(index === 0 ? [{ name: LANDING.name, path: LANDING.path }] : []),
        ...group.guides.map(({ name, path }) => ({ name, path })),
      ],
    })),
    { name: "Reference", places: [first] },
    ...reference,
  ];
}
