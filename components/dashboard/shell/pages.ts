import { applicationPath, applicationTabs } from "@/components/dashboard/applications/tabs";
import { MAINTENANCE } from "@/components/dashboard/maintenance/words";
import { navigationItems } from "@/components/dashboard/shell/navigation";
import type { Role } from "@/server/services/staff/procedure/staff-context";
import type { FoundThing } from "@/server/services/staff/search/shapes";

/** A page that can be found by its name and its subject. */
export interface NamedPage {
  label: string;
  href: string;
  note?: string;
  about: string;
}

const about: Record<string, string> = {
  "/dashboard": "status health failing disconnected background",
  "/dashboard/deliveries": "webhooks notifications attempts retries",
  "/dashboard/endpoints": "channels callback urls webhooks pause test",
  "/dashboard/requests": "log api calls",
  "/dashboard/accounts": "users calendars mailboxes profiles syncs writes",
  "/dashboard/providers": "google microsoft icloud caldav health rate limiting throttled pushes",
  "/dashboard/applications": "clients secrets branding",
  "/dashboard/settings": "preferences",
};

const others: (NamedPage & { isForAdmins?: true })[] = [
  { label: "Traffic", href: "/dashboard/requests/traffic", about: "charts volume latency percentiles p95 routes" },
  { label: "Errors by type", href: "/dashboard/requests/errors", about: "requests failures 4xx 5xx" },
  {
    label: "Maintenance",
    href: MAINTENANCE,
    about: "read-only refuse requests shed application outage",
    isForAdmins: true,
  },
  {
    label: "Team",
    href: "/dashboard/settings/team",
    about: "operators staff support admins developers members",
    isForAdmins: true,
  },
  {
    label: "Audit",
    href: "/dashboard/settings/audit",
    about: "trail history who did what changes reads sign-ins operators log",
    isForAdmins: true,
  },
  {
    label: "Alerts",
    href: "/dashboard/settings/alerts",
    about: "email webhook quiet time notifications oncall",
    isForAdmins: true,
  },
  {
    label: "Profile",
    href: "/dashboard/settings/profile",
    about: "my account password sessions two-step verification second factor",
  },
];

const tabsAbout: Record<(typeof applicationTabs)[number]["name"], string> = {
  Overview: "redirect uris developers members caldav",
  Requests: "log api calls",
  Traffic: "charts volume latency percentiles p95 routes",
  Errors: "failures 4xx 5xx",
  Endpoints: "channels callback urls webhooks",
  Accounts: "users calendars mailboxes",
  Organizations: "google workspace microsoft entra tenant domain delegation service account rooms",
  Secrets: "keys client secret rotate rotation",
  Branding: "logo color privacy support connect page",
  Alerts: "email webhook quiet time notifications",
};

/** Finds the pages whose name or subject matches all words. */
export function pagesFor(typed: string, role: Role): NamedPage[] {
  const all = [
    ...navigationItems(role).map(({ name, path }) => ({ label: name, href: path, about: about[path] ?? "" })),
    ...others.filter(({ isForAdmins }) => !isForAdmins || role === "admin"),
  ];
  return all.filter(({ label, about }) => fits(typed, `${label} ${about}`));
}

/** Finds the tabs that some of the words name, and the remaining words, which say which application is meant. */
export function tabsIn(typed: string): { tabs: (typeof applicationTabs)[number][]; rest: string } {
  const words = typed.trim().toLowerCase().split(/\s+/).filter(Boolean);
  for (const word of words.filter(({ length }) => length >= FEWEST)) {
    const tabs = applicationTabs.filter(({ name }) => name.toLowerCase().startsWith(word));
    const more = tabs.length > 0 ? tabs : applicationTabs.filter(({ name }) => fits(word, tabsAbout[name]));
    if (more.length > 0)
      return { tabs: more, rest: words.filter((other) => other !== word && other !== "of").join(" ") };
  }
  return { tabs: [], rest: "" };
}

/** Shorter words match too much. */
const FEWEST = 4;

/** Lists the tabs that were typed, for each of these applications. */
export function tabsOf(typed: string, applications: readonly Pick<FoundThing, "id" | "name">[]): NamedPage[] {
  return tabsIn(typed).tabs.flatMap(({ name, segment }) =>
    applications.map((one) => ({ label: `${one.name}: ${name}`, href: applicationPath(one.id, segment), about: "" })),
  );
}

function fits(typed: string, text: string): boolean {
  const there = text.toLowerCase().split(" ");
  const words = typed.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => there.some((one) => one.startsWith(word)));
}
