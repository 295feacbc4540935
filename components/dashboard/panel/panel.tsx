import Link from "next/link";
import type { ReactNode } from "react";

interface PanelProps {
  /** The page's address without the panel. */
  closeHref: string;
  title: ReactNode;
  /** The line under the title: state and tags. */
  under?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** Shows a panel's content: a head that stays, and below it everything about one thing. */
export function Panel({ closeHref, title, under, actions, children }: PanelProps) {
  return (
    <>
      <div className="sticky top-0 z-2 border-b bg-raised px-6 max-sm:px-4 py-3">
        <div className="flex items-start gap-3">
          <h2 className="min-w-0 flex-1 text-16 leading-8 wrap-anywhere">{title}</h2>
          <Link
            href={closeHref}
            prefetch={false}
            scroll={false}
            aria-label="Close panel"
            className="flex size-8 max-sm:size-10 items-center justify-center rounded-md text-20 text-faint hover:bg-hover hover:text-ink"
          >
            <span aria-hidden>×</span>
          </Link>
        </div>
        {under && <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-13">{under}</div>}
        {actions && (
          <div data-actions className="mt-3 flex flex-wrap gap-2">
            {actions}
          </div>
        )}
      </div>
      {children}
    </>
  );
}
