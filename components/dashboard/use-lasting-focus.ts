"use client";

import { useCallback, useEffect, useRef } from "react";

/**
 * Gives the focus of a button that is removed with its line to the heading of its section, and if that has gone too, of
 * the page: otherwise the next Tab would begin at the top of the page. Call what is returned with the button once its
 * work is done.
 */
export function useLastingFocus(): (button: Element | null) => void {
  const section = useRef<Element | null>(null);
  useEffect(
    () => () => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (section.current && isLost) focusHeading(section.current.isConnected ? section.current : document);
    },
    [],
  );
  return useCallback((button) => {
    section.current = button?.closest("section") ?? null;
  }, []);
}

function focusHeading(place: ParentNode): void {
  const heading = place.querySelector<HTMLElement>("h1, h2, h3");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
