import { SignInDocument, Trouble } from "@/components/sign-in/document";
import { sentenceOf } from "@/components/sign-in/sentence";
import type { InvitationField, InvitationForm, InvitationView } from "@/server/http/staff/invitation-view";

export async function renderInvitation(view: InvitationView): Promise<string> {
  const { renderToStaticMarkup } = await import("react-dom/server");
  return renderToStaticMarkup(<InvitationPage {...view} />);
}

const closings: Record<NonNullable<InvitationView["closed"]>, string> = {
  unknown: "This invitation link isn’t valid. Check that you copied all of it.",
  accepted: "This invitation has already been used. Each link works once.",
  revoked:
    "This invitation was revoked or replaced by a newer one. Ask your Almanac administrator for the latest link.",
  expired: "This invitation has expired. Ask your Almanac administrator for a new one.",
  taken: "An account with this email already exists.",
};

function InvitationPage({ notice, form, closed, issuer, csrfToken, nonce }: InvitationView) {
  const trouble = closed ? closings[closed] : notice && troubleOf(notice, issuer);
  const hasFault = form !== null && Object.keys(form.faults).length > 0;
  return (
    <SignInDocument title={`${hasFault ? "Error: " : ""}Accept your invitation`} nonce={nonce}>
      {form && (
        <p className="lead">
          You’re invited to the dashboard as a developer{form.applications.length > 0 && " of "}
          {listed(form.applications)}.
        </p>
      )}
      {trouble && <Trouble>{trouble}</Trouble>}
      {form && <AcceptForm form={form} issuer={issuer} csrfToken={csrfToken} />}
      {closed && closed !== "unknown" && (
        <p className="said">
          <a href="/dashboard/sign-in">Sign in</a>
        </p>
      )}
    </SignInDocument>
  );
}

function troubleOf(notice: NonNullable<InvitationView["notice"]>, issuer: string | null): string {
  return notice.kind === "stale" ? "This form has expired. Please try again." : sentenceOf(notice, issuer);
}

const list = new Intl.ListFormat("en");

function listed(names: readonly string[]): string {
  return list.format(names);
}

interface AcceptFormProps {
  form: InvitationForm;
  issuer: string | null;
  csrfToken: string;
}

/** Shows two ways in one form: single sign-on needs no password. */
function AcceptForm({ form, issuer, csrfToken }: AcceptFormProps) {
  return (
    <form method="post" action="/api/auth/invitation" noValidate>
      <input type="hidden" name="csrfToken" value={csrfToken} />
      <input type="hidden" name="token" value={form.token} />
      <label htmlFor="email">Email</label>
      <input id="email" name="email" type="email" autoComplete="username" readOnly defaultValue={form.email} />
      <Field form={form} name="name" label="Your name" autoComplete="name" />
      <Field
        form={form}
        name="password"
        label="Password"
        type="password"
        autoComplete="new-password"
        hint="At least 12 characters."
      />
      <Field form={form} name="again" label="Confirm password" type="password" autoComplete="new-password" />
      <button type="submit">Accept invitation</button>
      {issuer && (
        <>
          <p className="or">{`Or use ${issuer} instead of a password.`}</p>
          <button type="submit" name="way" value="issuer" className="quiet">
            {`Accept with ${issuer}`}
          </button>
        </>
      )}
    </form>
  );
}

interface FieldProps {
  form: InvitationForm;
  name: InvitationField;
  label: string;
  autoComplete: string;
  type?: "text" | "password";
  hint?: string;
}

function Field({ form, name, label, autoComplete, type = "text", hint }: FieldProps) {
  const fault = form.faults[name];
  const said = fault ? `${name}-fault` : hint && `${name}-hint`;
  const isFirst = name === (Object.keys(form.faults)[0] ?? "name");
  return (
    <>
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        name={name}
        type={type}
        autoComplete={autoComplete}
        required
        defaultValue={name === "name" ? form.name : undefined}
        aria-describedby={said || undefined}
        {...(fault && { "aria-invalid": "true" as const })}
        {...(isFirst && { autoFocus: true })}
      />
      {fault ? (
        <p className="fault" id={`${name}-fault`}>
          {fault}
        </p>
      ) : (
        hint && (
          <p className="hint" id={`${name}-hint`}>
            {hint}
          </p>
        )
      )}
    </>
  );
}
