import type { ReactNode } from "react";
import { Warning } from "@/components/connect/marks";
import { icon } from "@/components/dashboard/page-files";
import { style } from "@/components/sign-in/style";
import { firstFonts } from "@/components/ui/paper";

interface SignInDocumentProps {
  title: string;
  /** Without it the page's policy blocks all styles. */
  nonce: string | null;
  children: ReactNode;
}

/** Renders a page for somebody who is not signed in: no script, and nothing from any other host. */
export function SignInDocument({ title, nonce, children }: SignInDocumentProps) {
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
          {children}
        </main>
      </body>
    </html>
  );
}

/** Shows the error above the form. */
export function Trouble({ children }: { children: ReactNode }) {
  return (
    <p className="said bad" id="trouble" role="alert">
      <Warning />
      <span>{children}</span>
    </p>
  );
}
