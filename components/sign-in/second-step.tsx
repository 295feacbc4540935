import { SignInDocument, Trouble } from "@/components/sign-in/document";
import { sentenceOf } from "@/components/sign-in/sentence";
import { QrCode } from "@/components/ui/qr-code";
import type { SecondStepView } from "@/server/http/staff/second-step-view";
import type { SecondStep } from "@/server/services/staff/second-factor/second-step";

export async function renderSecondStep(view: SecondStepView): Promise<string> {
  const { renderToStaticMarkup } = await import("react-dom/server");
  return renderToStaticMarkup(<SecondStepPage {...view} />);
}

function SecondStepPage(view: SecondStepView) {
  const { notice, issuer, nonce, step } = view;
  const title =
    step === null ? "Recovery codes" : step.setUp ? "Set up two-step verification" : "Two-step verification";
  const trouble = notice && sentenceOf(notice, issuer);
  return (
    <SignInDocument title={trouble ?? title} nonce={nonce}>
      {step === null ? (
        <RecoveryCodes {...view} />
      ) : (
        <>
          <Lead step={step} />
          {trouble && <Trouble>{trouble}</Trouble>}
          <CodeForm {...view} step={step} />
        </>
      )}
    </SignInDocument>
  );
}

function Lead({ step: { email, setUp } }: { step: SecondStep }) {
  return (
    <p className="lead">
      {setUp
        ? `Your role requires two-step verification. Set it up to sign in as ${email}.`
        : `Two-step verification for ${email}.`}
    </p>
  );
}

/** The page has only this field. */
const focus = { autoFocus: true };

type CodeFormProps = SecondStepView & { step: SecondStep };

function CodeForm({ notice, csrfToken, from, step: { setUp } }: CodeFormProps) {
  const isWrong = notice?.kind === "wrong_code";
  const about = [isWrong && "trouble", "code-hint"].filter(Boolean).join(" ");
  return (
    <form method="post" action="/api/auth/second-step">
      <input type="hidden" name="csrfToken" value={csrfToken} />
      <input type="hidden" name="from" value={from} />
      {setUp && (
        <>
          <p>Scan this with an authenticator app, such as your password manager or your phone’s:</p>
          <QrCode {...setUp.qr} />
          <p className="hint">
            Or enter this key: <code className="key">{setUp.secret.match(/.{1,4}/g)?.join(" ")}</code>
          </p>
        </>
      )}
      <label htmlFor="code">Code</label>
      <input
        id="code"
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        required
        {...focus}
        aria-describedby={about}
        {...(isWrong && { "aria-invalid": "true" as const })}
      />
      <p className="hint" id="code-hint">
        {setUp ? "The 6-digit code from the app." : "From your authenticator app, or a recovery code."}
      </p>
      <button type="submit">{setUp ? "Turn on and sign in" : "Sign in"}</button>
      <p className="said">
        <a href="/dashboard/sign-in">Sign in as someone else</a>
      </p>
    </form>
  );
}

function RecoveryCodes({ recoveryCodes, from }: SecondStepView) {
  return (
    <>
      <p className="lead">
        Two-step verification is on. Save these recovery codes: they won’t be shown again. Each signs you in once if you
        lose your authenticator app.
      </p>
      <ul className="codes">
        {recoveryCodes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p className="said">
        <a href={from}>I’ve saved them, go to the dashboard</a>
      </p>
    </>
  );
}
