export type Theme = "system" | "light" | "dark";

export const themes: readonly { value: Theme; label: string }[] = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

/** Reads the theme from the cookie. Anything else is the system's. */
export function themeOf(said: string | undefined): Theme {
  return said === "light" || said === "dark" ? said : "system";
}

/** Dispatched on the document when a theme was chosen, with it as its detail. */
export const THEME_CHOSEN = "almanac:theme";
const YEAR_S = 365 * 86_400;

/** Applies a theme to the dashboard, and remembers it for a year. */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset.theme;
  else dataset.theme = theme;
  const age = theme === "system" ? 0 : YEAR_S;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing in some browsers, and over plain http.
  document.cookie = `almanac_theme=${theme}; Path=/dashboard; Max-Age=${age}; SameSite=Lax`;
  document.dispatchEvent(new CustomEvent<Theme>(THEME_CHOSEN, { detail: theme }));
}
