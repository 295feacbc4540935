import { LANGUAGE_KEY, THEME_KEY } from "@/components/docs/client/places";

// Runs in the head, so that it takes effect before the page is painted.
const { classList, dataset } = document.documentElement;
classList.add("scripted");
try {
  const language = localStorage.getItem(LANGUAGE_KEY);
  if (language) dataset.language = language;
  const theme = localStorage.getItem(THEME_KEY);
  if (theme === "light" || theme === "dark") dataset.theme = theme;
} catch {
  // A browser without storage shows each page as if for the first time.
}
