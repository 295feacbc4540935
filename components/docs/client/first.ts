import { LANGUAGE_KEY, THEME_KEY } from "@/components/docs/client/places";

// Stands in the head: what it does is there before the page is painted.
const { classList, dataset } = document.documentElement;
classList.add("scripted");
try {
  const language = localStorage.getItem(LANGUAGE_KEY);
  if (language) dataset.language = language;
  const theme = localStorage.getItem(THEME_KEY);
  if (theme === "light" || theme === "dark") dataset.theme = theme;
} catch {
  // A browser that keeps nothing shows each page as for the first time.
}
