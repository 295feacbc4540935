import Link from "next/link";
import type { ReactNode } from "react";
import { classes } from "@/components/ui/classes";
import { dotOf, type Tone } from "@/components/ui/state";

interface FigureProps {
  name: string;
  /** Its state. The dot is next to a word that says the same. */
  tone?: Tone;
  /** The figure's meaning, in a few words. */
  note?: ReactNode;
  /** A link to the details. */
  href?: string;
  children: ReactNode;
}

/** Shows figures side by side, four in a row where there is room, separated by hairlines. */
export function Figures({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-2 overflow-hidden border-y sm:grid-cols-4">{children}</dl>;
}

/** Shows one figure: its name, its value in large, and its meaning. */
export function Figure({ name, tone, note, href, children }: FigureProps) {
  return (
    <div className="relative -mt-px -ml-px border-t border-l px-6 py-3 max-sm:px-4 has-[a]:hover:bg-hover">
      <dt className="text-12 text-faint">
        {href ? (
          <Link href={href} prefetch={false} className="row-link">
            {name}
          </Link>
        ) : (
          name
        )}
      </dt>
      <dd className={classes("tnum text-20", tone === "bad" && "text-red")}>{children}</dd>
      {note && (
        <dd className="flex items-baseline gap-1.5 text-12 text-faint">
          {tone && <span aria-hidden className={classes("size-2 shrink-0 rounded-full", dotOf[tone])} />}
          {note}
        </dd>
      )}
    </div>
  );
}
