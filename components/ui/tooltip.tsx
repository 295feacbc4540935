export const tooltipLook =
  "fade-in z-50 max-w-80 rounded-md border bg-raised px-2.5 py-1.5 text-12 text-ink shadow-float wrap-anywhere";

/** Returns the page's main part, where screen readers look for content. */
export function tooltipPlace(): HTMLElement | undefined {
  return typeof document === "undefined" ? undefined : (document.querySelector("main") ?? undefined);
}
