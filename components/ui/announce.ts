/** The id of the one place where a page says aloud what just happened. */
export const SAID = "said";

/** Has screen readers say it, once they have said what they are saying. */
export function announce(text: string): void {
  const place = document.getElementById(SAID);
  if (!place) return;
  place.textContent = "";
  requestAnimationFrame(() => {
    place.textContent = text;
  });
}
