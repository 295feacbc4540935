import { APPLICATIONS } from "@/components/dashboard/applications/words";

/** The pages of an application, in the order of their tabs. */
export const applicationTabs = [
  { name: "Overview", segment: "" },
  { name: "Requests", segment: "requests" },
  { name: "Traffic", segment: "traffic" },
  { name: "Errors", segment: "errors" },
  { name: "Endpoints", segment: "endpoints" },
  { name: "Accounts", segment: "accounts" },
  { name: "Organizations", segment: "organizations" },
  { name: "Secrets", segment: "secrets" },
  { name: "Branding", segment: "branding" },
  { name: "Alerts", segment: "alerts" },
] as const;

export type ApplicationTab = (typeof applicationTabs)[number]["segment"];

/** Returns the path of an application, or of one of its pages. */
export function applicationPath(id: string, segment: ApplicationTab = ""): string {
  const path = `${APPLICATIONS}/${encodeURIComponent(id)}`;
  return segment === "" ? path : `${path}/${segment}`;
}
