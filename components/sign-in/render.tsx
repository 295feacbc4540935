import { Warning } from "@/components/connect/marks";
import { icon } from "@/components/dashboard/page-files";
import { sentenceOf } from "@/components/sign-in/sentence";
import { style } from "@/components/sign-in/style";
import { firstFonts } from "@/components/ui/paper";
import type { Notice, SignInView } from "@/server/http/staff/sign-in-view";

/** The markup of the sign-in page: no script, and nothing from any other host. */
export async function renderSignIn(view: SignInView): Promise<string> {
  const { renderToStaticMarkup } = await import("react-dom/server");
  return renderToStaticMarkup(<SignInPage {...view} />);
}

function SignInPage(view: SignInView) {
  const { notice, issuer, nonce } = view;
  const title = isTrouble(notice) ? sentenceOf(notice, issuer) : "Sign in";
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · Almanac`}</title>
        {firstFonts.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={href} />
        ))}
        <link rel="icon" href={icon} />
        <style nonce={nonce ?? undefined}>{style}</style>
      </head>
      <body>
        <main>
          <h1>Almanac</h1>
          <p className="lead">Sign in to the dashboard.</p>
          {notice && <NoticeText notice={notice} issuer={issuer} />}
          <PasswordForm {...view} />
          {issuer && <IssuerForm {...view} issuer={issuer} />}
        </main>
      </body>
    </html>
  );
}

function isTrouble(notice: Notice | null): notice is Notice {
  return notice !== null && notice.kind !== "signed_out";
}

function NoticeText({ notice, issuer }: { notice: Notice; issuer: string | null }) {
  const sentence = sentenceOf(notice, issuer);
  if (!isTrouble(notice)) return <p className="said">{sentence}</p>;
  return (
    <p className="said bad" id="trouble" role="alert">
      <Warning />
      <span>{sentence}</span>
    </p>
  );
}

/** The page has this one form, so its first field gets the focus. */
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
