import type { Branding } from "@/server/domain/branding/branding";
import type { Screen } from "@/server/http/connect/screen";

/** A page as the response to a request. */
export interface ShownPage {
  screen: Screen;
  status: number;
  locale: string | null;
  /** Of the application that asks, where there is one. */
  branding?: Branding | null;
  headers?: Record<string, string>;
  /** The redirect URI that the page's form leads to in the end. */
  formEnds?: string;
  /** Why it is none that was asked for, as the request log keeps it. */
  error?: string;
}

/** What becomes of a request to the connect page. */
export type PageOrRedirect = { to: string; error?: string; headers?: Record<string, string> } | ShownPage;
