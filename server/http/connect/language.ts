export const languages = ["en", "de", "fr", "es", "ja"] as const;
export type Language = (typeof languages)[number];

const MOST_ASKED = 20;

/**
 * Picks the page's language: that of the `locale` parameter (`de`, `pt-BR`, `fr_CA`), else the browser's best by
 * Accept-Language, else English.
 */
export function pickLanguage(locale: string | null, acceptLanguage: string | null): Language {
  return spoken(locale ?? "") ?? accepted(acceptLanguage ?? "").find((language) => language !== null) ?? "en";
}

function spoken(tag: string): Language | null {
  const primary = tag.trim().split(/[-_]/, 1)[0]?.toLowerCase();
  return languages.find((language) => language === primary) ?? null;
}

function accepted(header: string): (Language | null)[] {
  return header
    .split(",")
    .slice(0, MOST_ASKED)
    .map((item) => {
      const [tag = "", ...parameters] = item.split(";");
      const quality = parameters
        .map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1])
        .find(Boolean);
      return { language: spoken(tag), quality: Number(quality ?? 1) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ language }) => language);
}
