import { accountPath, endpointPath } from "@/components/dashboard/address/paths";
import { applicationPath } from "@/components/dashboard/applications/tabs";
import { type IdPrefix, meaningOf } from "@/server/services/staff/lists/meaning";
import type { Role, SignedInOperator } from "@/server/services/staff/procedure/staff-context";

const OVERVIEW = "/dashboard";

const items = [
  { name: "Overview", path: OVERVIEW, icon: "overview" },
  { name: "Deliveries", path: "/dashboard/deliveries", icon: "deliveries" },
  { name: "Endpoints", path: "/dashboard/endpoints", icon: "endpoints" },
  { name: "Requests", path: "/dashboard/requests", icon: "requests" },
  { name: "Accounts", path: "/dashboard/accounts", icon: "accounts" },
  { name: "Providers", path: "/dashboard/providers", icon: "providers", isForStaff: true, isWide: true },
  { name: "Applications", path: "/dashboard/applications", icon: "applications", short: "Apps" },
  { name: "Settings", path: "/dashboard/settings", icon: "settings" },
] as const;

export type IconName = (typeof items)[number]["icon"];

export interface NavigationItem {
  name: string;
  path: string;
  icon: IconName;
  /** Its name where there is little room. */
  short?: string;
  /** A narrow window has no room for it. */
  isWide?: boolean;
}

/**
 * Lists the sidebar's pages in order. Developers get none about the service. The only application of a developer stands
 * for the overview and the list, which would show nothing else.
 */
export function navigationItems(
  role: Role,
  applications: SignedInOperator["applications"] = null,
): readonly NavigationItem[] {
  const shown = role === "developer" ? items.filter((item) => !("isForStaff" in item)) : items;
  const start = startPath(applications);
  if (start === OVERVIEW) return shown;
  return [
    { name: "Application", path: start, icon: "applications", short: "App" },
    ...shown.filter(({ path }) => path !== OVERVIEW && path !== "/dashboard/applications"),
  ];
}

/** Returns where an operator starts: developers with one application at this application, all others at the overview. */
export function startPath(applications: SignedInOperator["applications"]): string {
  const [only, another] = applications ?? [];
  return only === undefined || another !== undefined ? OVERVIEW : applicationPath(only);
}

export interface Destination {
  label: string;
  href: string;
}

const leading: [readonly (IdPrefix | "log")[], string, (id: string) => string][] = [
  [["whd"], "Delivery", (id) => `/dashboard/deliveries?${query("open", id)}`],
  [["chn"], "Endpoint", endpointPath],
  [["chn"], "Deliveries of channel", (id) => `/dashboard/deliveries?${query("channel", id)}`],
  [["acc", "apc"], "Account", (id) => accountPath(id)],
  [["acc", "apc"], "Deliveries of account", (id) => `/dashboard/deliveries?${query("account", id)}`],
  [["acc", "apc"], "Endpoints of account", (id) => `/dashboard/endpoints?${query("account", id)}`],
  [["acc", "apc"], "Requests of account", (id) => `/dashboard/requests?${query("account", id)}`],
  [["app"], "Application", (id) => `/dashboard/applications/${id}`],
  [["app"], "Deliveries of application", (id) => `/dashboard/deliveries?${query("application", id)}`],
  [["app"], "Endpoints of application", (id) => `/dashboard/endpoints?${query("application", id)}`],
  [["app"], "Requests of application", (id) => `/dashboard/applications/${id}/requests`],
  [["pro", "cal", "bkg", "trg"], "Account with", (id) => `/dashboard/accounts?${query("q", id)}`],
  [["req"], "Requests with ID", (id) => `/dashboard/requests?${query("id", id)}`],
  [["req"], "Deliveries triggered by", (id) => `/dashboard/deliveries?${query("id", id)}`],
  [["opr"], "Operator", (id) => `/dashboard/settings/team?${query("open", id)}`],
  [["log"], "Request", (id) => `/dashboard/requests?${query("open", id)}`],
];

/** Lists where a pasted ID may lead, best first. */
export function destinations(word: string, role: Role): Destination[] {
  const { prefix, isLogId } = meaningOf(word);
  const kind = isLogId ? "log" : prefix;
  return leading
    .filter(([kinds, label]) => kinds.some((one) => one === kind) && !(role === "developer" && label === "Operator"))
    .map(([, label, href]) => ({ label: `${label} ${word}`, href: href(word) }));
}

/** Lists the lists that can be searched for a text. Only accounts have an email. */
export function searches(word: string): Destination[] {
  const q = query("q", word);
  if (meaningOf(word).email === "whole")
    return [{ label: `Accounts with email ${word}`, href: `/dashboard/accounts?${q}` }];
  return [
    { label: `Search endpoints for “${word}”`, href: `/dashboard/endpoints?${q}` },
    { label: `Search deliveries for “${word}”`, href: `/dashboard/deliveries?${q}` },
    { label: `Search accounts for “${word}”`, href: `/dashboard/accounts?${q}` },
    { label: `Search requests for “${word}”`, href: `/dashboard/requests?${query("id", word)}` },
  ];
}

function query(name: string, value: string): URLSearchParams {
  return new URLSearchParams({ [name]: value });
}
