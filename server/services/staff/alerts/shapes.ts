import type { AlertFormat, AlertKind, AlertState, AlertWay } from "@/server/domain/alerts/alerts";
import type { Thresholds } from "@/server/domain/alerts/thresholds";

/** `threshold` and `leastRequests` are null where the kind has none. */
export interface RuleRow extends Thresholds {
  kind: AlertKind;
  email: boolean;
  webhook: boolean;
  quietMinutes: number;
}

/** The alert settings of a scope, and where alerts go. */
export interface AlertSettings {
  rules: RuleRow[];
  /** Recipients of emails: for an application its developers, who cannot be chosen. */
  emails: string[];
  webhookUrl: string | null;
  webhookFormat: AlertFormat;
  /** False: this Almanac sends no email. */
  isMailConfigured: boolean;
  /** The latest messages, newest first. */
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
  /** The error of the last attempt. */
  error: string | null;
  /** Whether it will be retried. */
  isPending: boolean;
}

/** `secret`: of a new webhook URL whose receiver verifies signatures; shown only here. */
export interface SavedAlerts {
  secret: string | null;
}

/** The result for each channel that was tried: null if it was sent, else why not. */
export type TestedAlerts = { way: AlertWay; error: string | null }[];
