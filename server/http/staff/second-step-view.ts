import type { FormPage } from "@/server/http/staff/form-page";
import type { Notice } from "@/server/http/staff/sign-in-view";
import type { SecondStep } from "@/server/services/staff/second-factor/second-step";

/** What a person sees who has entered their password. */
export interface SecondStepView extends FormPage {
  notice: Notice | null;
  /** Where signing in leads. */
  from: string;
  /** Null: they are signed in. */
  step: SecondStep | null;
  /** Of the second factor that they have set up, this once. */
  recoveryCodes: readonly string[];
}

/** Gives the page's markup. */
export type RenderSecondStep = (view: SecondStepView) => Promise<string>;
