import type { ReactNode } from "react";

interface TabsProps {
  /** Begins the ids of the tabs: one of a kind on the page. */
  id: string;
  name: string;
  tabs: readonly { title: string; body: ReactNode }[];
}

/** One of several panels. All of them are in the page: on paper, and where no script runs, all are shown. */
export function Tabs({ id, name, tabs }: TabsProps) {
  return (
    <div>
      <div
        role="tablist"
        aria-label={name}
        className="mb-2 flex gap-4 overflow-x-auto overflow-y-hidden border-b scrollbar-none unscripted:hidden print:hidden"
      >
        {tabs.map(({ title }, index) => (
          <button
            key={title}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-controls={`${id}-panel-${index}`}
            aria-selected={index === 0}
            tabIndex={index === 0 ? 0 : -1}
            className="h-9 shrink-0 border-b-2 border-b-transparent px-0.5 text-13 text-faint transition-colors hover:text-ink focus-visible:-outline-offset-2 aria-selected:border-b-accent aria-selected:font-medium aria-selected:text-ink"
          >
            {title}
          </button>
        ))}
      </div>
      {tabs.map(({ title, body }, index) => (
        <div
          key={title}
          role="tabpanel"
          id={`${id}-panel-${index}`}
          aria-labelledby={`${id}-tab-${index}`}
          data-chosen={index === 0 ? "" : undefined}
          className="not-data-chosen:scripted:hidden print:block! unscripted:mb-4"
        >
          {body}
        </div>
      ))}
    </div>
  );
}
