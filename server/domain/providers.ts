/** Whose calendars: those of a provider that people connect, and Almanac's own. */
export const providers = ["google", "microsoft", "outlook", "icloud", "caldav", "hosted"] as const;
export type Provider = (typeof providers)[number];

/** The providers that people can connect at any application, in the order of the connect page. */
export const offerable = ["google", "microsoft", "outlook", "icloud"] as const satisfies readonly Provider[];

/** Beside them: a CalDAV server that an application offers to its users. */
export const connectable = [...offerable, "caldav"] as const satisfies readonly Provider[];
export type Connectable = (typeof connectable)[number];

/** A twelfth of the time for which nothing has changed in a calendar account passes until it is polled again, within the limits that are configured. */
export const QUIET_SHARE = 1 / 12;

/** What a provider calls the product behind a connected account. */
const providerServices = [
  "google",
  "google_workspace",
  "microsoft_365",
  "outlook",
  "icloud",
  "caldav",
  "hosted",
] as const;
export type ProviderService = (typeof providerServices)[number];

const HOUR_MS = 60 * 60_000;

export interface ProviderTraits {
  /** What people call it, in every language. */
  label: string;
  /** Of an account of which the provider says nothing more. */
  service: ProviderService;
  /** How an account is connected; null: it is not. */
  signIn: "oauth" | "password" | null;
  /** The most requests for one account at a time, over all processes: one of them reads, the others write. */
  requestsAtATime: number;
  /** Its own addresses here end with it: /oauth/callback/{path}, where users come back to, and /hooks/{path}, where it sends notices. */
  path: string | null;
  /** How long after a poll the next one is due while it notifies us of every change; null: it never does. In milliseconds. */
  watchedPollMs: number | null;
  /** Whether it notifies us when the list of calendars changes. Otherwise a new calendar is found by a poll. */
  watchesList: boolean;
  /** The longest description that it keeps, in UTF-16 code units; null: any. */
  descriptionLimit: number | null;
  /** The longest summary that it keeps, likewise. */
  summaryLimit: number | null;
  /** Whether it keeps descriptions as documents, in which neither spaces nor empty lines are counted. */
  keepsDocuments: boolean;
  /** Whether it sends invitations, updates and cancellations. */
  invites: boolean;
  /** Whether an event with guests can be written without notifying them. */
  writesSilently: boolean;
}

/** The provider that people come back from at the same address: the one for the accounts that this one is not for. */
export function counterpartOf(provider: Connectable): Connectable | null {
  const { path } = providerTraits[provider];
  return (
    connectable.find((other) => path !== null && other !== provider && providerTraits[other].path === path) ?? null
  );
}

/** Of providers that state no limit: more writes at a time only wait for one another there. */
const FEW_REQUESTS = 5;

/** "Conventions" (provider kinds). Microsoft's API always notifies guests, and refuses a fifth request for a mailbox ("Throttling limits" of Outlook services). */
export const providerTraits: Readonly<Record<Provider, ProviderTraits>> = {
  google: {
    ...{ label: "Google", service: "google", signIn: "oauth", requestsAtATime: FEW_REQUESTS, path: "google" },
    ...{ watchedPollMs: 6 * HOUR_MS, watchesList: true, descriptionLimit: 8_192, invites: true, writesSilently: true },
    ...{ summaryLimit: null, keepsDocuments: false },
  },
  microsoft: {
    ...{ label: "Microsoft 365", service: "microsoft_365", signIn: "oauth", requestsAtATime: 4, path: "microsoft" },
    ...{ watchedPollMs: 6 * HOUR_MS, watchesList: false, descriptionLimit: null, invites: true, writesSilently: false },
    ...{ summaryLimit: 255, keepsDocuments: true },
  },
  outlook: {
    ...{ label: "Outlook.com", service: "outlook", signIn: "oauth", requestsAtATime: 4, path: "microsoft" },
    ...{ watchedPollMs: 6 * HOUR_MS, watchesList: false, descriptionLimit: null, invites: true, writesSilently: false },
    ...{ summaryLimit: 255, keepsDocuments: true },
  },
  icloud: {
    ...{ label: "iCloud", service: "icloud", signIn: "password", requestsAtATime: FEW_REQUESTS, path: null },
    ...{ watchedPollMs: null, watchesList: false, descriptionLimit: null, invites: true, writesSilently: true },
    ...{ summaryLimit: null, keepsDocuments: false },
  },
  caldav: {
    ...{ label: "CalDAV", service: "caldav", signIn: "password", requestsAtATime: FEW_REQUESTS, path: null },
    ...{ watchedPollMs: null, watchesList: false, descriptionLimit: null, invites: true, writesSilently: true },
    ...{ summaryLimit: null, keepsDocuments: false },
  },
  hosted: {
    ...{ label: "Almanac", service: "hosted", signIn: null, requestsAtATime: FEW_REQUESTS, path: null },
    ...{ watchedPollMs: null, watchesList: false, descriptionLimit: null, invites: false, writesSilently: true },
    ...{ summaryLimit: null, keepsDocuments: false },
  },
};
