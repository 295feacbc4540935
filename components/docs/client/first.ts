import { LANGUAGE_KEY } from "@/components/docs/client/places";

// Stands in the head: what it does is there before the page is painted.
const { classList, dataset } = document.documentElement;
classList.add("scripted");
try {
  const language = localStorage.getItem(LANGUAGE_KEY);
  if (language) dataset.language = language;
} catch {
  // A browser that keeps nothing shows each page as for the first time.
}
