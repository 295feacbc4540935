import { dialogPath } from "@/components/dashboard/address/named-dialog";
import { accountPath, endpointPath, eventPath, narrowed } from "@/components/dashboard/address/paths";
import { viewLabel, viewPath } from "@/components/dashboard/address/view";
import { SHOW_KEYS } from "@/components/dashboard/shell/keyboard-rows";
import { destinations, searches } from "@/components/dashboard/shell/navigation";
import type { PageAction } from "@/components/dashboard/shell/page-actions";
import { type NamedPage, pagesFor, tabsOf } from "@/components/dashboard/shell/pages";
import { signOut } from "@/components/dashboard/shell/sign-out";
import { chooseTheme, themes } from "@/components/dashboard/shell/theme";
import type { Role } from "@/server/services/staff/procedure/staff-context";
import type { FoundThing } from "@/server/services/staff/search/shapes";
import type { SavedView } from "@/server/services/staff/views/shapes";

/** A line of the palette: it links to a page, or does something. */
export interface Choice {
  group: "This page" | "Pages" | "Actions" | "Results" | "Search";
  label: string;
  /** The kind of thing, at the end of the line. */
  note?: string;
  href?: string;
  run?(): void;
}

interface ChoicesInput {
  typed: string;
  role: Role;
  things: readonly FoundThing[];
  /** The applications whose tabs were typed. */
  applications: readonly FoundThing[];
  /** The operator's saved views that were typed. */
  views: readonly SavedView[];
  pageActions: readonly PageAction[];
}

/**
 * Lists what matches the typed text. Results that are known at once come before those that are looked up, so that
 * nothing moves when they arrive.
 */
export function choicesFor({ typed, role, things, applications, views, pageActions }: ChoicesInput): Choice[] {
  const word = typed.trim();
  const fits = ({ label }: { label: string }) => label.toLowerCase().includes(word.toLowerCase());
  const known: Choice[] = destinations(word, role).map((one) => ({ group: "Results", ...one }));
  const isOnPage = ({ label }: Choice) => pageActions.some((action) => action.label === label);
  return [
    ...pageActions.filter(fits).map((action): Choice => ({ group: "This page", ...action })),
    ...pagesFor(word, role).map(pageChoice),
    ...actions(role).filter((action) => fits(action) && !isOnPage(action)),
    ...tabsOf(word, applications).map(pageChoice),
    ...views.map(viewChoice),
    ...merged(known, things.map(choiceOf)),
    ...(word.length > 1 && known.length === 0
      ? searches(word).map((one): Choice => ({ group: "Search", ...one }))
      : []),
  ];
}

function pageChoice({ label, href }: NamedPage): Choice {
  return { group: "Pages", label, href };
}

function viewChoice(view: SavedView): Choice {
  const list = view.list.charAt(0).toUpperCase() + view.list.slice(1);
  return { group: "Pages", label: viewLabel(view), note: list, href: viewPath(view.id) };
}

function actions(role: Role): Choice[] {
  const isAdmin = role === "admin";
  const all: (Omit<Choice, "group"> | false)[] = [
    isAdmin && { label: "Invite developer", href: dialogPath("/dashboard/settings/team", "developer") },
    isAdmin && { label: "Register application", href: dialogPath("/dashboard/applications", "application") },
    { label: "Password and sessions", href: "/dashboard/settings/profile" },
    ...themes.map(({ value, label }) => ({ label: `Theme: ${label.toLowerCase()}`, run: () => chooseTheme(value) })),
    { label: "Keyboard shortcuts", run: () => void document.dispatchEvent(new Event(SHOW_KEYS)) },
    { label: "Documentation", run: () => window.location.assign("/docs") },
    { label: "Sign out", run: signOut },
  ];
  return all.flatMap((one) => (one ? [{ group: "Actions", ...one }] : []));
}

/** Merges look-up results into the known choices: a thing that an ID already links to gets its description there. */
function merged(known: readonly Choice[], found: readonly Choice[]): Choice[] {
  const named = known.map((one) => {
    const thing = found.find(({ href }) => href === one.href);
    return thing ? { ...one, note: `${thing.label} · ${thing.note}` } : one;
  });
  return [...named, ...found.filter(({ href }) => known.every((one) => one.href !== href))];
}

const kinds: Record<FoundThing["kind"], { word: string; href(thing: FoundThing): string }> = {
  application: { word: "Application", href: ({ id }) => `/dashboard/applications/${id}` },
  account: { word: "Account", href: ({ id }) => accountPath(id) },
  endpoint: { word: "Endpoint", href: ({ id }) => endpointPath(id) },
  event: { word: "Event", href: ({ id }) => eventPath(id) },
  delivery: { word: "Delivery", href: ({ id }) => narrowed("/dashboard/deliveries", "open", id) },
  request: { word: "Request", href: ({ id }) => narrowed("/dashboard/requests", "open", id) },
};

function choiceOf(thing: FoundThing): Choice {
  const { kind, name, applicationName, accountName, state } = thing;
  const { word, href } = kinds[kind];
  const note = [word, state, applicationName, accountName].filter((part) => part !== null).join(" · ");
  return { group: "Results", label: name, note, href: href(thing) };
}
