import type { AlertKind, AlertState, AlertWay } from "@/server/domain/alerts/alerts";

export interface RuleRow {
  kind: AlertKind;
  email: boolean;
  webhook: boolean;
  quietMinutes: number;
}

/** What a scope is alerted to, and where. */
export interface AlertSettings {
  rules: RuleRow[];
  /** Whom emails go to: of an application its developers, who cannot be chosen. */
  emails: string[];
  webhookUrl: string | null;
  /** False: this Almanac sends no email. */
  isMailConfigured: boolean;
  /** The latest, newest first. */
  messages: MessageRow[];
}

export interface MessageRow {
  id: string;
  way: AlertWay;
  kind: AlertKind | null;
  state: AlertState;
  count: number;
  createdAt: string;
  sentAt: string | null;
  /** Of the last attempt. */
  error: string | null;
  /** It is tried again. */
  isPending: boolean;
}

/** `secret`: of a webhook URL that is new; shown only here. */
export interface SavedAlerts {
  secret: string | null;
}

/** Of each way that was tried: null if it was sent, else why not. */
export type TestedAlerts = { way: AlertWay; error: string | null }[];
