import type { Words } from "@/components/connect/words/words";
import { type Language, languages } from "@/server/http/connect/language";
import type { Screen } from "@/server/http/connect/screen";

/** What each language calls itself. */
const names: Record<Language, string> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  ja: "日本語",
};

/** Links to the same page in each language, where the page is still part of a request. */
export function Languages({ words, screen, language }: { words: Words; screen: Screen; language: Language }) {
  if (!("inLanguage" in screen)) return null;
  return (
    <nav className="languages" aria-label={words.language}>
      {languages.map((one) => (
        <a
          key={one}
          href={screen.inLanguage[one]}
          lang={one}
          hrefLang={one}
          aria-current={one === language ? "true" : undefined}
        >
          {names[one]}
        </a>
      ))}
    </nav>
  );
}
