import type { FormPage } from "@/server/http/staff/form-page";

/** What stands above the form. */
export type Notice =
  | { kind: "wrong" }
  /** The second factor's code. */
  | { kind: "wrong_code" }
  /** The second step took too long, or what it was about has changed. */
  | { kind: "start_again" }
  | { kind: "throttled"; seconds: number }
  /** Too many passwords wait to be checked: this one was not. */
  | { kind: "overloaded"; seconds: number }
  /** The form was sent from another page, or is too old. */
  | { kind: "stale" }
  | { kind: "single_sign_on" }
  | { kind: "no_operator" }
  | { kind: "signed_out" }
  | { kind: "failed"; requestId: string };

/** What a person sees who is to sign in. */
export interface SignInView extends FormPage {
  notice: Notice | null;
  /** What the person typed; never the password. */
  email: string;
  /** Where signing in leads. */
  from: string;
}

/** Gives the page's markup. */
export type RenderSignIn = (view: SignInView) => Promise<string>;
