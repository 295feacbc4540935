import type { ReactNode } from "react";

/** Lists names and values, a line each. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="text-13">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[9rem_1fr] max-sm:grid-cols-[7rem_1fr] gap-x-4 py-1">
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}

interface SectionProps {
  title: string;
  aside?: ReactNode;
  /** The heading's level: 3 in a panel, 2 on a page. */
  level?: 2 | 3;
  children: ReactNode;
}

/** Shows a part of a panel or page under a small heading. */
export function Section({ title, aside, level = 3, children }: SectionProps) {
  const Heading = `h${level}` as const;
  return (
    <section className="border-t px-6 max-sm:px-4 py-4">
      <div className="mb-2 flex items-center justify-between gap-4">
        <Heading className="text-13 font-medium">{title}</Heading>
        {aside && <div className="text-12 text-faint">{aside}</div>}
      </div>
      {children}
    </section>
  );
}
