import type { ReactNode } from "react";

/** Things of a panel, one under the other to its edges, parted by hairlines. */
export function Lines({ children }: { children: ReactNode }) {
  return <ul className="-mx-6 -mb-4 max-sm:-mx-4">{children}</ul>;
}

interface LineProps {
  /** What can be done with it. */
  actions?: ReactNode;
  children: ReactNode;
}

/** One of them: what it is at the left, what can be done with it at the right. */
export function Line({ actions, children }: LineProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t px-6 py-2 text-13 max-sm:px-4">
      <div className="grid min-w-0 flex-1 basis-56 grid-cols-[minmax(0,1fr)] gap-0.5 wrap-anywhere">{children}</div>
      {actions && <div className="flex max-w-full flex-wrap items-center justify-end gap-2">{actions}</div>}
    </li>
  );
}

/** What is said of it in smaller words. */
export function Aside({ children }: { children: ReactNode }) {
  return <div className="tnum flex flex-wrap items-center gap-x-3 gap-y-0.5 text-12 text-faint">{children}</div>;
}
