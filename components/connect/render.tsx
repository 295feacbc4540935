import { brandingStyle, Foot, Mark } from "@/components/connect/branding";
import { Chooser, titleOfChoice } from "@/components/connect/chooser";
import { Languages } from "@/components/connect/languages";
import {
  Connected,
  Elsewhere,
  Failed,
  LinkEnded,
  Maintenance,
  OtherAccount,
  Stale,
  titleOfConnected,
  Unusable,
} from "@/components/connect/notices";
import { SignInForm, titleOfForm } from "@/components/connect/sign-in-form";
import { style } from "@/components/connect/style";
import { de } from "@/components/connect/words/de";
import { en } from "@/components/connect/words/en";
import { es } from "@/components/connect/words/es";
import { fr } from "@/components/connect/words/fr";
import { ja } from "@/components/connect/words/ja";
import type { Words } from "@/components/connect/words/words";
import { firstFonts } from "@/components/ui/paper";
import type { Language } from "@/server/http/connect/language";
import { pendingScript } from "@/server/http/connect/pending-script";
import type { ConnectView, Screen } from "@/server/http/connect/screen";

const allWords: Record<Language, Words> = { en, de, fr, es, ja };

/** Renders the connect page: nothing from any other host, and no script but that of its form. */
export async function renderConnect(view: ConnectView): Promise<string> {
  const { renderToStaticMarkup } = await import("react-dom/server");
  return renderToStaticMarkup(<ConnectPage {...view} />);
}

function ConnectPage({ language, screen, branding, preview }: ConnectView) {
  const words = allWords[language];
  const hasScript = screen.kind === "sign_in" && preview === undefined;
  return (
    <html lang={language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`${titleOf(words, screen)} · Almanac`}</title>
        {firstFonts.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={href} />
        ))}
        <style>{style + brandingStyle(branding, preview)}</style>
      </head>
      <body inert={preview !== undefined}>
        <main>
          <Mark branding={branding} />
          <Body words={words} screen={screen} />
          <Languages words={words} screen={screen} language={language} />
          <Foot words={words} branding={branding} />
        </main>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the text is a constant of ours, which the policy names by its digest. */}
        {hasScript && <script dangerouslySetInnerHTML={{ __html: pendingScript }} />}
      </body>
    </html>
  );
}

function Body({ words, screen }: { words: Words; screen: Screen }) {
  switch (screen.kind) {
    case "choose":
      return <Chooser words={words} screen={screen} />;
    case "sign_in":
      return <SignInForm words={words} screen={screen} />;
    case "connected":
      return <Connected words={words} screen={screen} />;
    case "stale":
      return <Stale words={words} screen={screen} />;
    case "link_ended":
      return <LinkEnded words={words} screen={screen} />;
    case "elsewhere":
      return <Elsewhere words={words} screen={screen} />;
    case "other_account":
      return <OtherAccount words={words} screen={screen} />;
    case "unusable":
      return <Unusable words={words} screen={screen} />;
    case "maintenance":
      return <Maintenance words={words} />;
    case "failed":
      return <Failed words={words} screen={screen} />;
    default:
      return screen satisfies never;
  }
}

/** Puts the error first in the title, which a screen reader reads when the page is back. */
function titleOf(words: Words, screen: Screen): string {
  switch (screen.kind) {
    case "choose":
      return titleOfChoice(words, screen);
    case "sign_in":
      return titleOfForm(words, screen);
    case "connected":
      return titleOfConnected(words, screen);
    case "stale":
      return words.staleTitle;
    case "link_ended":
      return words.linkEndedTitle;
    case "elsewhere":
      return words.elsewhereTitle;
    case "other_account":
      return words.otherAccountTitle;
    case "unusable":
      return words.unusableTitle;
    case "maintenance":
      return words.maintenanceTitle;
    case "failed":
      return words.failedTitle;
    default:
      return screen satisfies never;
  }
}
