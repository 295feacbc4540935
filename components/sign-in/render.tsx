import { SignInDocument, Trouble } from "@/components/sign-in/document";
import { sentenceOf } from "@/components/sign-in/sentence";
import type { Notice, SignInView } from "@/server/http/staff/sign-in-view";

export async function renderSignIn(view: SignInView): Promise<string> {
  const { renderToStaticMarkup } = await import("react-dom/server");
  return renderToStaticMarkup(<SignInPage {...view} />);
}

function SignInPage(view: SignInView) {
  const { notice, issuer, nonce } = view;
  const title = isTrouble(notice) ? sentenceOf(notice, issuer) : "Sign in";
  return (
    <SignInDocument title={title} nonce={nonce}>
      <p className="lead">Sign in to the dashboard.</p>
      {notice && <NoticeText notice={notice} issuer={issuer} />}
      <PasswordForm {...view} />
      {issuer && <IssuerForm {...view} issuer={issuer} />}
    </SignInDocument>
  );
}

function isTrouble(notice: Notice | null): notice is Notice {
  return notice !== null && notice.kind !== "signed_out";
}

function NoticeText({ notice, issuer }: { notice: Notice; issuer: string | null }) {
  const sentence = sentenceOf(notice, issuer);
  if (!isTrouble(notice)) return <p className="said">{sentence}</p>;
  return <Trouble>{sentence}</Trouble>;
}

/** The page has only this form, so its first field gets the focus. */
const focus = { autoFocus: true };

function PasswordForm({ notice, email, csrfToken, from }: SignInView) {
  const isWrong = notice?.kind === "wrong";
  const mistake = isWrong ? ({ "aria-invalid": "true", "aria-describedby": "trouble" } as const) : {};
  return (
    <form method="post" action="/api/auth/callback/credentials">
      <Hidden csrfToken={csrfToken} from={from} />
      <label htmlFor="email">Email</label>
      <input
        id="email"
        name="email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        defaultValue={email}
        {...(email === "" && focus)}
        {...mistake}
      />
      <label htmlFor="password">Password</label>
      <input
        id="password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        {...(email !== "" && focus)}
        {...mistake}
      />
      <button type="submit">Sign in</button>
    </form>
  );
}

function IssuerForm({ issuer, csrfToken, from }: SignInView & { issuer: string }) {
  return (
    <form method="post" action="/api/auth/signin/oidc" className="issuer">
      <Hidden csrfToken={csrfToken} from={from} />
      <button type="submit" className="quiet">{`Sign in with ${issuer}`}</button>
    </form>
  );
}

function Hidden({ csrfToken, from }: Pick<SignInView, "csrfToken" | "from">) {
  return (
    <>
      <input type="hidden" name="csrfToken" value={csrfToken} />
      <input type="hidden" name="from" value={from} />
    </>
  );
}
