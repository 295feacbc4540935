import type { Access } from "@/server/domain/access";
import type { Branding } from "@/server/domain/branding/branding";
import type { Connectable } from "@/server/domain/providers";
import type { Language } from "@/server/http/connect/language";
import type { UnusableReason } from "@/server/services/connect/request";
import type { CallbackProblem } from "@/server/services/connect/sign-in";

/** What went wrong with what a person sent; the form says it and stays. */
export type Trouble =
  | "no_username"
  | "no_password"
  | "wrong_password"
  | "unsupported_sign_in"
  | "no_calendars"
  | "down"
  | "too_many";

/** Why a user is not connected who went to a provider's own page. */
export interface ReturnTrouble {
  provider: Connectable;
  trouble: Exclude<CallbackProblem["kind"], "denied"> | "used" | "too_many";
}

/** What both pages of a request have. */
export interface RequestSummary {
  application: string;
  /** What it asks for. */
  access: Access;
  /** The account that the calendar is added to, by its email address, where the request has a link token. */
  joins: string | null;
  /** The profile that a reconnect link is for, by its name. */
  reconnects: string | null;
  /** It asks to change events that others created. */
  foreignEdits: boolean;
  /** The host that the user returns to, of an application that registered itself. Null: an administrator registered it. */
  returnsTo: string | null;
  /** Back to the application without having connected anything. */
  cancel: string;
  /** This page in each language. */
  inLanguage: LanguageLinks;
}

export type LanguageLinks = Record<Language, string>;

/** What a person sees. All links are complete. */
export type Screen =
  | ({
      kind: "choose";
      /** `name`: of a CalDAV server; null: the provider's own. */
      providers: { provider: Connectable; name: string | null; href: string }[];
      trouble: ReturnTrouble | null;
    } & RequestSummary)
  | ({
      kind: "sign_in";
      provider: Connectable;
      /** What the CalDAV server is called; null: it is iCloud's. */
      server: string | null;
      /** Of a server that the application offers. */
      serverId: string | null;
      /** What the application tells its users about signing in there. */
      help: string | null;
      /** The hidden field that carries the request. */
      signed: string;
      /** What the person typed; never the password. */
      username: string;
      trouble: Trouble | null;
      /** The choice of providers, where there is one. */
      others: string | null;
    } & RequestSummary)
  /** `isPending`: the calendar joins its account once the application exchanges the code, which `back` carries. */
  | { kind: "connected"; application: string; isPending: boolean; back: string }
  | { kind: "stale"; application: string; again: string | null; back: string }
  | { kind: "link_ended"; application: string; back: string }
  | { kind: "other_account"; application: string; account: string; another: string; back: string }
  | { kind: "elsewhere"; application: string; joins: string; another: string; back: string }
  | { kind: "unusable"; reason: UnusableReason | "form" | "sign_in"; application: string | null }
  | { kind: "maintenance" }
  | { kind: "failed"; requestId: string };

export interface ConnectView {
  language: Language;
  screen: Screen;
  /** Of the application that asks. Null: it has none, or nobody knows who asks. */
  branding: Branding | null;
  /** In one theme, whatever the browser's is, and nothing in it can be used: for the dashboard. */
  preview?: Theme;
}

export type Theme = "light" | "dark";
