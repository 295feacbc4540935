import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { classes } from "@/components/ui/classes";

/** Hides a column where the window is narrower. */
export type From = "sm" | "md" | "lg" | "xl";
const from: Record<From, string> = {
  sm: "max-sm:hidden",
  md: "max-md:hidden",
  lg: "max-lg:hidden",
  xl: "max-xl:hidden",
};

interface CellProps {
  align?: "right";
  from?: From;
}

/** A table to the edges of its page: rows of 32 px, hairlines, figures in columns. `label` is what a screen reader calls it. */
export function Table({ label, head, children }: { label: string; head: ReactNode; children: ReactNode }) {
  return (
    <div className="overflow-x-auto">
      <table aria-label={label} className="tnum w-full border-collapse text-13">
        <thead>
          <tr className="h-8 border-b text-left text-12 text-faint">{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export function Th({ align, from: shownFrom, children }: CellProps & { children?: ReactNode }) {
  return (
    <th scope="col" className={classes(cell({ align, from: shownFrom }), "font-normal")}>
      {children}
    </th>
  );
}

export function Td({ align, from: shownFrom, className, ...rest }: CellProps & Omit<ComponentProps<"td">, "align">) {
  return <td className={classes(cell({ align, from: shownFrom }), className)} {...rest} />;
}

interface RowProps {
  /** Where the row leads; the link lies in its first cell, `first`. Without it the row is only read. */
  href?: string;
  first: ReactNode;
  /** What a screen reader says after the first cell's text, which is the link: "delivery whd_…". */
  name?: string;
  /** Its panel is open. */
  isOpen?: boolean;
  children: ReactNode;
}

/** A row that j and k walk and Enter opens. */
export function Row({ href, first, name, isOpen = false, children }: RowProps) {
  return (
    <tr
      data-row={href ? "" : undefined}
      aria-current={isOpen ? "true" : undefined}
      className={classes(
        "relative h-8 max-sm:h-12 border-b",
        href && "hover:bg-hover has-[a:focus-visible]:bg-hover",
        isOpen && "bg-picked",
      )}
    >
      <td className={cell({})}>
        {href ? (
          <Link href={href} prefetch={false} scroll={false} className="row-link block">
            {first}
            {name && <span className="sr-only">, {name}</span>}
          </Link>
        ) : (
          first
        )}
      </td>
      {children}
    </tr>
  );
}

/** What in a row is clicked for itself, above the row's own link. */
export function Above({ children }: { children: ReactNode }) {
  return <span className="relative z-1">{children}</span>;
}

function cell({ align, from: shownFrom }: CellProps): string {
  return classes(
    "px-2.5 first:pl-6 last:pr-6 max-sm:first:pl-4 max-sm:last:pr-4 whitespace-nowrap",
    align === "right" && "text-right",
    shownFrom && from[shownFrom],
  );
}
