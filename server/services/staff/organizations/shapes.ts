import type { AuthorizationOutcome, Delegator } from "@/server/domain/delegations";

/** An organization's access, without its key. */
export interface StaffDelegation {
  id: string;
  provider: Delegator;
  /** The service account, or the app's id at Entra. */
  client: string;
  tenant: string | null;
  administrator: string | null;
  domains: string[];
  addresses: string[];
  groupAddress: string | null;
  createdAt: string;
  withdrawnAt: string | null;
  /** How many mailboxes it opens. */
  profiles: number;
}

/** A mailbox that the application has asked for. */
export interface StaffAuthorization {
  id: string;
  email: string;
  callbackUrl: string;
  createdAt: string;
  /** Null: its mailbox was not opened yet. */
  outcome: AuthorizationOutcome | null;
  accountId: string | null;
  /** When its callback URL accepted it. */
  toldAt: string | null;
  /** When it is tried next. Null: it is over. */
  dueAt: string | null;
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
}

export interface StaffOrganizations {
  delegations: StaffDelegation[];
  /** The latest first. */
  authorizations: StaffAuthorization[];
}

/** What trying a mailbox has shown. */
export type VerifiedMailbox =
  | { kind: "opened"; name: string; calendars: number; reconnected: number }
  /** `missing`: what to do about it. `detail`: the provider's own words. */
  | { kind: "problem"; missing: string; detail: string | null };
