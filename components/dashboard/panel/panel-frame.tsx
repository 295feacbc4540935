"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";

interface PanelFrameProps {
  /** The address without the panel. */
  closeHref: string;
  /** What is open in it. */
  id: string;
  /** What a screen reader calls it: "Delivery whd_…". */
  label: string;
  children: ReactNode;
}

/** Over the right of the list. Takes the focus when something else is open in it, gives it back to the row, closes with Escape. */
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

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      if (document.querySelector("[role=dialog],[role=menu]") || document.activeElement?.matches("input,textarea"))
        return;
      event.preventDefault();
      router.push(closeHref, { scroll: false });
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
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

/** To the row that was open, unless the focus went elsewhere already. */
function giveBackFocus(id: string): void {
  if (document.activeElement !== document.body) return;
  const links = [...document.querySelectorAll<HTMLAnchorElement>("[data-row] a")];
  links.find(({ search }) => new URLSearchParams(search).get("open") === id)?.focus({ preventScroll: true });
}
