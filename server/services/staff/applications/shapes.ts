export interface ApplicationName {
  id: string;
  name: string;
}

/** Times are ISO, in UTC. */
export interface ApplicationRow {
  id: string;
  clientId: string;
  name: string;
  plan: "developer" | "standard";
  compatibilityMode: boolean;
  createdAt: string;
  /** Since when its requests are refused. Null: it is enabled. */
  disabledAt: string | null;
  /** Whether it is being deleted. */
  isDeleted: boolean;
  /** Accounts that are not revoked. */
  accounts: number;
  traffic: Traffic;
}

export interface Traffic {
  /** The last 24 hours, the oldest first; the last hour is incomplete. */
  requestsPerHour: number[];
  /** The share of those requests that got a 4xx or 5xx, from 0 to 1. */
  errorRate: number;
  /** How many of those requests got a 429. */
  throttled: number;
}

export type ApplicationHead = Pick<
  ApplicationRow,
  "id" | "name" | "plan" | "compatibilityMode" | "disabledAt" | "isDeleted"
>;

export interface ApplicationDetail extends ApplicationRow {
  redirectUris: { uri: string; createdAt: string }[];
  /** Offered to its users beside the providers. */
  caldavServers: { id: string; name: string; url: string; help: string | null; createdAt: string }[];
  /** Active ones first. The secret itself is shown only when it is created. */
  secrets: ApplicationSecret[];
}

export interface ApplicationSecret {
  id: string;
  lastFour: string;
  createdAt: string;
  /** Precise to the hour. */
  lastUsedAt: string | null;
  retiredAt: string | null;
}

/** A new application's credentials for the API; the secret is shown only here. */
export interface NewApplication {
  id: string;
  clientId: string;
  clientSecret: string;
}

export interface NewSecret {
  id: string;
  secret: string;
}
