import type { ReactNode } from "react";

/** Lists things in a panel, from edge to edge, separated by hairlines. */
export function Lines({ children }: { children: ReactNode }) {
  return <ul className="-mx-6 -mb-4 max-sm:-mx-4">{children}</ul>;
}

interface LineProps {
  /** The actions for it. */
  actions?: ReactNode;
  children: ReactNode;
}

/** Shows one of them: its name on the left, its actions on the right. */
export function Line({ actions, children }: LineProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t px-6 py-2 text-13 max-sm:px-4">
      <div className="grid min-w-0 flex-1 basis-56 grid-cols-[minmax(0,1fr)] gap-0.5 wrap-anywhere">{children}</div>
      {actions && <div className="flex max-w-full flex-wrap items-center justify-end gap-2">{actions}</div>}
    </li>
  );
}

/** Shows further details in small text. */
export function Aside({ children }: { children: ReactNode }) {
  return <div className="tnum flex flex-wrap items-center gap-x-3 gap-y-0.5 text-12 text-faint">{children}</div>;
}
