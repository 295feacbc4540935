import { endpointPath } from "@/components/dashboard/address/endpoint-path";
import type { Role } from "@/server/services/staff/procedure/staff-context";

const items = [
  { name: "Overview", path: "/dashboard", icon: "overview" },
  { name: "Deliveries", path: "/dashboard/deliveries", icon: "deliveries" },
  { name: "Endpoints", path: "/dashboard/endpoints", icon: "endpoints" },
  { name: "Requests", path: "/dashboard/requests", icon: "requests" },
  { name: "Accounts", path: "/dashboard/accounts", icon: "accounts" },
  { name: "Applications", path: "/dashboard/applications", icon: "applications", short: "Apps" },
  { name: "Operators", path: "/dashboard/operators", icon: "operators" },
] as const;

export type IconName = (typeof items)[number]["icon"];

/** The pages of the sidebar, in its order: developers have none that are about operators. */
export function navigationItems(role: Role): readonly (typeof items)[number][] {
  return role === "developer" ? items.filter(({ icon }) => icon !== "operators") : items;
}

export interface Destination {
  label: string;
  href: string;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const byPrefix: [RegExp, string, (id: string) => string][] = [
  [/^whd_[\w-]+$/, "Delivery", (id) => `/dashboard/deliveries?${query("open", id)}`],
  [/^chn_[\w-]+$/, "Endpoint", endpointPath],
  [/^chn_[\w-]+$/, "Deliveries of channel", (id) => `/dashboard/deliveries?${query("channel", id)}`],
  [/^(acc|apc)_[\w-]+$/, "Account", (id) => `/dashboard/accounts?${query("open", id)}`],
  [/^(acc|apc)_[\w-]+$/, "Deliveries of account", (id) => `/dashboard/deliveries?${query("account", id)}`],
  [/^(acc|apc)_[\w-]+$/, "Endpoints of account", (id) => `/dashboard/endpoints?${query("account", id)}`],
  [/^(acc|apc)_[\w-]+$/, "Requests of account", (id) => `/dashboard/requests?${query("account", id)}`],
  [/^app_[\w-]+$/, "Application", (id) => `/dashboard/applications/${id}`],
  [/^app_[\w-]+$/, "Deliveries of application", (id) => `/dashboard/deliveries?${query("application", id)}`],
  [/^app_[\w-]+$/, "Endpoints of application", (id) => `/dashboard/endpoints?${query("application", id)}`],
  [/^app_[\w-]+$/, "Requests of application", (id) => `/dashboard/applications/${id}/requests`],
  [/^(pro|cal)_[\w-]+$/, "Account with", (id) => `/dashboard/accounts?${query("q", id)}`],
  [/^req_[\w-]+$/, "Requests with ID", (id) => `/dashboard/requests?${query("id", id)}`],
  [/^req_[\w-]+$/, "Deliveries triggered by", (id) => `/dashboard/deliveries?${query("id", id)}`],
  [/^opr_[\w-]+$/, "Operator", (id) => `/dashboard/operators?${query("open", id)}`],
  [UUID, "Request", (id) => `/dashboard/requests?${query("open", id)}`],
  [/^[^@/\s]+@[^@\s]+$/, "Accounts with email", (id) => `/dashboard/accounts?${query("q", id)}`],
];

/** Where a pasted id or an email may lead, best first. */
export function destinations(word: string, role: Role): Destination[] {
  return byPrefix
    .filter(([form, label]) => form.test(word) && !(role === "developer" && label === "Operator"))
    .map(([, label, href]) => ({ label: `${label} ${word}`, href: href(word) }));
}

/** The lists that can be searched for a text. */
export function searches(word: string): Destination[] {
  const q = query("q", word);
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
