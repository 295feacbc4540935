import type { Connectable } from "@/server/domain/wire-names";
import type { Language } from "@/server/http/connect/language";
import type { Unusable } from "@/server/services/connect/request";

/** What went wrong with what a person sent; the form says it and stays. */
export type Trouble = "no_username" | "no_password" | "wrong_password" | "no_calendars" | "down" | "too_many";

/** What a person sees. All links are complete. */
export type Screen =
  | { kind: "choose"; application: string; providers: { provider: Connectable; href: string }[]; cancel: string }
  | {
      kind: "sign_in";
      application: string;
      provider: Connectable;
      /** The hidden field that carries the request. */
      signed: string;
      /** What the person typed; never the password. */
      username: string;
      trouble: Trouble | null;
      /** The choice of providers, where there is one. */
      others: string | null;
      cancel: string;
    }
  | { kind: "stale"; application: string; again: string | null; back: string }
  | { kind: "unusable"; reason: Unusable | "form" }
  | { kind: "failed"; requestId: string };

export interface ConnectView {
  language: Language;
  screen: Screen;
}
