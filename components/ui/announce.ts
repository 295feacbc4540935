/** The id of the page's live region for announcements. */
export const SAID = "said";

/** Has screen readers announce a text after what they are saying. */
export function announce(text: string): void {
  const place = document.getElementById(SAID);
  if (!place) return;
  place.textContent = "";
  requestAnimationFrame(() => {
    place.textContent = text;
  });
}
