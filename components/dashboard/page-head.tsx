import type { ReactNode } from "react";

interface PageHeadProps {
  title: ReactNode;
  /** The number of entries. */
  count?: ReactNode;
  actions?: ReactNode;
}

/** Shows a page's title with the count, and the actions for all of it. */
export function PageHead({ title, count, actions }: PageHeadProps) {
  return (
    <div className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 px-6 max-sm:px-4 py-2">
      <h1 className="text-20">{title}</h1>
      {count !== undefined && <span className="text-14 text-faint">{count}</span>}
      {actions && (
        <div data-actions className="ml-auto flex flex-wrap gap-2">
          {actions}
        </div>
      )}
    </div>
  );
}
