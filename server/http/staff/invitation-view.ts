import type { FormPage } from "@/server/http/staff/form-page";
import type { Notice } from "@/server/http/staff/sign-in-view";

export type InvitationField = "name" | "password" | "again";

/** What somebody sees who opens the link of an invitation. */
export interface InvitationView extends FormPage {
  notice: Notice | null;
  /** Null: the link does not work, for this reason. */
  form: InvitationForm | null;
  closed: "unknown" | "accepted" | "revoked" | "expired" | "taken" | null;
}

export interface InvitationForm {
  token: string;
  email: string;
  /** The names of the applications. */
  applications: readonly string[];
  /** What was typed; never the password. */
  name: string;
  faults: Partial<Record<InvitationField, string>>;
}

/** Gives the page's markup. */
export type RenderInvitation = (view: InvitationView) => Promise<string>;
