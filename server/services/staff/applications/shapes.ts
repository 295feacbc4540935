import type { Quota } from "@/server/domain/provider-quotas";

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
  /** It may change events that others created, where the connect page said so. */
  editForeignEvents: boolean;
  /** AI assistants may write through it. */
  mcpWrites: boolean;
  /** It needs no secret, but PKCE. */
  publicClient: boolean;
  /** The connect page says that the calendar is connected before its users return to it. */
  connectSuccessPage: boolean;
  /** It registered itself. */
  selfRegistered: boolean;
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

/** What an administrator sets for an application. */
export type ApplicationSettings = Pick<
  ApplicationRow,
  "name" | "plan" | "compatibilityMode" | "editForeignEvents" | "mcpWrites" | "publicClient" | "connectSuccessPage"
>;

export type ApplicationHead = ApplicationSettings &
  Pick<ApplicationRow, "id" | "selfRegistered" | "disabledAt" | "isDeleted">;

export interface ApplicationDetail extends ApplicationRow {
  redirectUris: { uri: string; createdAt: string }[];
  /** Offered to its users beside the providers. */
  caldavServers: { id: string; name: string; url: string; help: string | null; createdAt: string }[];
  /** By which its users sign in, instead of by the clients of the installation. */
  oauthClients: { provider: Quota; clientId: string; createdAt: string }[];
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
  /** From then on it is refused and signs nothing. Null: it never expires. */
  expiresAt: string | null;
}

/** A new application's credentials for the API; the secret is shown only here. */
export interface NewApplication {
  id: string;
  clientId: string;
  /** Null: it is a public client, and needs none. */
  clientSecret: string | null;
}

export interface NewSecret {
  id: string;
  secret: string;
}
