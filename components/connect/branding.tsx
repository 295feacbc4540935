import type { Words } from "@/components/connect/words/words";
import { themes } from "@/components/ui/paper";
import { accentsOf } from "@/server/domain/branding/accent";
import { type Branding, logoPath } from "@/server/domain/branding/branding";
import type { Theme } from "@/server/http/connect/screen";

/**
 * Builds the style that replaces our colour with the application's, readable as text in each theme. A logo is on white
 * in the dark theme, which most are drawn for.
 */
export function brandingStyle(branding: Branding | null, preview: Theme | undefined): string {
  const accents = branding?.accent ? accentsOf(branding.accent) : null;
  const own = {
    light: `--plate:transparent;${accents ? `--accent:${accents.light};` : ""}`,
    dark: `--plate:#fff;${accents ? `--accent:${accents.dark};` : ""}`,
  };
  if (preview) return `:root{color-scheme:${preview};${themes[preview]};${own[preview]}}`;
  return `:root{${own.light}}@media(prefers-color-scheme:dark){:root{${own.dark}}}`;
}

/** Shows the application's logo above every page, or our own mark. The page's text has the name. */
export function Mark({ branding }: { branding: Branding | null }) {
  if (!branding?.logo) return <p className="mark">Almanac</p>;
  return (
    <p className="mark">
      {/* biome-ignore lint/performance/noImgElement: the page has no scripts, and the logo is ours to serve as it is. */}
      <img className="logo" src={logoPath(branding.logo)} alt="" />
    </p>
  );
}

/** Links to the application's own pages, and to ours where its logo replaced our mark. */
export function Foot({ words, branding }: { words: Words; branding: Branding | null }) {
  const { logo = null, supportUrl = null, privacyUrl = null } = branding ?? {};
  if (!logo && !supportUrl && !privacyUrl) return null;
  return (
    <footer>
      {supportUrl && <OwnPage href={supportUrl} name={words.supportPage} words={words} />}
      {privacyUrl && <OwnPage href={privacyUrl} name={words.privacyPage} words={words} />}
      {logo && <span className="by">Almanac</span>}
    </footer>
  );
}

function OwnPage({ href, name, words }: { href: string; name: string; words: Words }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {name}
      <span className="sr"> ({words.newTab})</span>
    </a>
  );
}
