"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";

/** What Escape closes before the panel. */
const CLOSED_FIRST = "[role=dialog],[role=menu],[role=listbox]";

interface PanelFrameProps {
  /** The page's address without the panel. */
  closeHref: string;
  /** The id of what is open in it. */
  id: string;
  /** Its name for screen readers: "Delivery whd_…". */
  label: string;
  children: ReactNode;
}

/**
 * Shows a panel over the right side of the list. It takes the focus when its content changes, gives it back to the row,
 * and closes with Escape.
 */
export function PanelFrame({ closeHref, id, label, children }: PanelFrameProps) {
  const router = useRouter();
  const frame = useRef<HTMLElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves when another thing is open in it.
  useEffect(() => {
    frame.current?.scrollTo(0, 0);
    frame.current?.focus({ preventScroll: true });
  }, [id]);

  const last = useRef(id);
  useEffect(() => {
    last.current = id;
  }, [id]);
  useEffect(() => () => giveBackFocus(last.current), []);

  // It hears Escape before a tooltip does, which would keep the key for itself.
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || document.querySelector(CLOSED_FIRST)) return;
      if (document.activeElement?.matches("input,textarea")) return;
      router.push(closeHref, { scroll: false });
    };
    window.addEventListener("keydown", press, true);
    return () => window.removeEventListener("keydown", press, true);
  }, [router, closeHref]);

  return (
    <aside
      ref={frame}
      tabIndex={-1}
      aria-label={label}
      className="slide-in fixed inset-y-0 right-0 z-30 w-full overflow-y-auto overscroll-contain bg-raised outline-none sm:max-w-160 sm:border-l sm:shadow-float"
    >
      {children}
    </aside>
  );
}

/** Moves the focus to the row that was open, unless it went elsewhere already. */
function giveBackFocus(id: string): void {
  if (document.activeElement !== document.body) return;
  const links = [...document.querySelectorAll<HTMLAnchorElement>("[data-row] a")];
  links.find(({ search }) => new URLSearchParams(search).get("open") === id)?.focus({ preventScroll: true });
}
