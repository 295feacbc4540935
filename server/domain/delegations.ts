/** The providers whose organizations can open the mailboxes of their users. */
export type Delegator = "google" | "microsoft";

/** A service account with domain-wide delegation ("Using OAuth 2.0 for Server to Server Applications"). */
export interface GoogleKey {
  provider: "google";
  clientEmail: string;
  privateKeyId: string;
  /** PKCS#8, PEM. */
  privateKey: string;
  /** The address of an administrator, in whose name the directory is read. */
  administrator: string;
}

/** An app with application permissions ("OAuth 2.0 client credentials flow on the Microsoft identity platform"). */
export interface MicrosoftKey {
  provider: "microsoft";
  /** The directory (tenant) ID, in lower case. */
  tenant: string;
  clientId: string;
  proof: { secret: string } | { privateKey: string; thumbprint: string };
}

export type DelegationKey = GoogleKey | MicrosoftKey;

/** What a delegation may reach. */
export interface Reach {
  /** In lower case. */
  domains: readonly string[];
  /** Only these of them. Empty: all. */
  addresses: readonly string[];
  /** Only the members of this group. Null: all. */
  groupAddress: string | null;
}

/** The domain of Google's rooms, whatever the organization's own is. */
export const GOOGLE_ROOMS = "resource.calendar.google.com";

/** Why a mailbox is not opened, as the callback URL is told. */
export const authorizationErrors = [
  "out_of_reach",
  "unknown_mailbox",
  "suspended",
  "no_mailbox",
  "delegation_refused",
  "provider_unavailable",
] as const;
export type AuthorizationError = (typeof authorizationErrors)[number];
export type AuthorizationOutcome = "authorized" | AuthorizationError;

const sentences: Record<AuthorizationError, string> = {
  out_of_reach: "No organization of your application allows this address",
  unknown_mailbox: "The organization has no user or room with this address",
  suspended: "The organization has suspended the user",
  no_mailbox: "The user has no calendar, for example because no license is assigned",
  delegation_refused: "The provider rejects the organization's key, or it lacks a permission",
  provider_unavailable: "The provider could not be reached. Try again later",
};

/** Explains an error in a sentence for developers. */
export function authorizationSentence(error: AuthorizationError): string {
  return sentences[error];
}

/** The domain of made-up mailboxes, which need no organization while the sandbox is on. Nobody can own it (RFC 2606). */
const SANDBOX_DOMAIN = "sandbox.example";

/** Returns what comes of a made-up mailbox: the error that its local part names, or success. Null: it is no such mailbox. */
export function sandboxOutcome(email: string): AuthorizationOutcome | null {
  const [local = "", domain] = email.split("@");
  if (domain !== SANDBOX_DOMAIN) return null;
  return authorizationErrors.find((error) => error === local) ?? "authorized";
}

/** Reports whether an address lies within what can be told without asking the provider: its domain, and the listed ones. */
export function mayReach({ domains, addresses, groupAddress }: Reach, provider: Delegator, email: string): boolean {
  const address = email.toLowerCase();
  if (addresses.length > 0) return addresses.includes(address);
  const domain = address.slice(address.lastIndexOf("@") + 1);
  // A room is nobody's colleague: a group never has one.
  if (provider === "google" && domain === GOOGLE_ROOMS) return groupAddress === null;
  return domains.includes(domain);
}

/** Milliseconds until a mailbox is tried again that its provider could not be asked for, by how often it was. */
const OPEN_WAITS_MS = [5_000, 30_000, 120_000, 600_000];

/** Returns when a mailbox is tried again, in milliseconds. Null: it was tried often enough. */
export function nextTryWait(attempts: number, after: number | null): number | null {
  const wait = OPEN_WAITS_MS[attempts - 1];
  return wait === undefined ? null : Math.max(wait, after ?? 0);
}

/** The most mailboxes of one request, as the vendor of compatibility mode allows. */
export const MAX_AUTHORIZATIONS = 50;
/** The most mailboxes of an application that wait to be opened. */
export const MAX_OPEN_AUTHORIZATIONS = 2_000;
export const MAX_DELEGATIONS = 20;
export const MAX_DOMAINS = 20;
export const MAX_ADDRESSES = 500;
