/** The owners of calendars: providers that people connect, publishers of feeds, and Almanac itself. */
export const providers = ["google", "microsoft", "outlook", "icloud", "caldav", "feed", "hosted"] as const;
export type Provider = (typeof providers)[number];

/** The providers that people can connect for any application, in the order of the connect page. */
export const offerable = ["google", "microsoft", "outlook", "icloud"] as const satisfies readonly Provider[];

/** These, and a CalDAV server that an application offers to its users. */
export const connectable = [...offerable, "caldav"] as const satisfies readonly Provider[];
export type Connectable = (typeof connectable)[number];

/** These, and feeds: everything that is read from elsewhere. */
export const synced = [...connectable, "feed"] as const satisfies readonly Provider[];
export type Synced = (typeof synced)[number];

/** The share of a calendar account's quiet time after which it is polled again, within the configured limits. */
export const QUIET_SHARE = 1 / 12;

/** A provider's name for the product behind a connected account. */
const providerServices = [
  "google",
  "google_workspace",
  "microsoft_365",
  "outlook",
  "icloud",
  "caldav",
  "feed",
  "hosted",
] as const;
export type ProviderService = (typeof providerServices)[number];

const HOUR_MS = 60 * 60_000;

export interface ProviderTraits {
  /** The name that people use, in every language. */
  label: string;
  /** The service of an account when the provider doesn't say more. */
  service: ProviderService;
  /** How an account is connected. Null: not at all. */
  signIn: "oauth" | "password" | null;
  /** The most concurrent requests per account, over all processes: one of them reads, the others write. */
  requestsAtATime: number;
  /**
   * The end of its addresses here: /oauth/callback/{path}, where users come back, and /hooks/{path}, where it sends
   * notices.
   */
  path: string | null;
  /** Milliseconds from a poll to the next while it notifies us of every change. Null: it never does. */
  watchedPollMs: number | null;
  /** Whether it notifies us when the list of calendars changes. Otherwise a poll finds new calendars. */
  watchesList: boolean;
  /** The longest description that it keeps, in UTF-16 code units; null: any. */
  descriptionLimit: number | null;
  /** The longest summary that it keeps, in the same units. */
  summaryLimit: number | null;
  /** Whether it stores descriptions as documents, where spaces and empty lines don't count. */
  keepsDocuments: boolean;
  /** Whether it sends invitations, updates and cancellations. */
  invites: boolean;
  /** Whether an event with guests can be written without notifying them. */
  writesSilently: boolean;
  /** Whether this holds for guests whom it has invited, too. */
  silencesInvited: boolean;
}

/**
 * Finds the provider that shares a callback address with another one: each serves the accounts that the other doesn't.
 */
export function counterpartOf(provider: Connectable): Connectable | null {
  const { path } = providerTraits[provider];
  return (
    connectable.find((other) => path !== null && other !== provider && providerTraits[other].path === path) ?? null
  );
}

/** The limit for providers that state none: more concurrent writes would only wait for one another there. */
const FEW_REQUESTS = 5;

/**
 * "Conventions" (provider kinds). Microsoft's API always notifies guests, and refuses a fifth request for a mailbox
 * ("Throttling limits" of Outlook services).
 */
export const providerTraits: Readonly<Record<Provider, ProviderTraits>> = {
  google: {
    ...{ label: "Google", service: "google", signIn: "oauth", requestsAtATime: FEW_REQUESTS, path: "google" },
    ...{ watchedPollMs: 6 * HOUR_MS, watchesList: true, descriptionLimit: 8_192, invites: true, writesSilently: true },
    ...{ summaryLimit: null, keepsDocuments: false, silencesInvited: true },
  },
  microsoft: {
    ...{ label: "Microsoft 365", service: "microsoft_365", signIn: "oauth", requestsAtATime: 4, path: "microsoft" },
    ...{ watchedPollMs: 6 * HOUR_MS, watchesList: false, descriptionLimit: null, invites: true, writesSilently: false },
    ...{ summaryLimit: 255, keepsDocuments: true, silencesInvited: false },
  },
  outlook: {
    ...{ label: "Outlook.com", service: "outlook", signIn: "oauth", requestsAtATime: 4, path: "microsoft" },
    ...{ watchedPollMs: 6 * HOUR_MS, watchesList: false, descriptionLimit: null, invites: true, writesSilently: false },
    ...{ summaryLimit: 255, keepsDocuments: true, silencesInvited: false },
  },
  icloud: {
    ...{ label: "iCloud", service: "icloud", signIn: "password", requestsAtATime: FEW_REQUESTS, path: null },
    ...{ watchedPollMs: null, watchesList: false, descriptionLimit: null, invites: true, writesSilently: true },
    ...{ summaryLimit: null, keepsDocuments: false, silencesInvited: false },
  },
  caldav: {
    ...{ label: "CalDAV", service: "caldav", signIn: "password", requestsAtATime: FEW_REQUESTS, path: null },
    ...{ watchedPollMs: null, watchesList: false, descriptionLimit: null, invites: true, writesSilently: true },
    ...{ summaryLimit: null, keepsDocuments: false, silencesInvited: false },
  },
  feed: {
    ...{ label: "Calendar feed", service: "feed", signIn: null, requestsAtATime: 1, path: null },
    ...{ watchedPollMs: null, watchesList: false, descriptionLimit: null, invites: false, writesSilently: true },
    ...{ summaryLimit: null, keepsDocuments: false, silencesInvited: true },
  },
  hosted: {
    ...{ label: "Almanac", service: "hosted", signIn: null, requestsAtATime: FEW_REQUESTS, path: null },
    ...{ watchedPollMs: null, watchesList: false, descriptionLimit: null, invites: false, writesSilently: true },
    ...{ summaryLimit: null, keepsDocuments: false, silencesInvited: true },
  },
};
