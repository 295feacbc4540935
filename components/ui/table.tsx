import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { classes } from "@/components/ui/classes";

/** Hides a column where the table is narrower: components/ui/theme.css has the widths. */
export type From = "sm" | "md" | "lg" | "xl";
const from: Record<From, string> = {
  sm: "until-sm:hidden",
  md: "until-md:hidden",
  lg: "until-lg:hidden",
  xl: "until-xl:hidden",
};

interface CellProps {
  align?: "right";
  from?: From;
}

/**
 * Shows a table up to the edges of its page: rows of 32 px, hairlines, figures in columns. `label` is its name for
 * screen readers.
 */
export function Table({ label, head, children }: { label: string; head: ReactNode; children: ReactNode }) {
  return (
    <div className="@container/table overflow-x-auto">
      <table aria-label={label} className="tnum w-full border-collapse text-13">
        <thead>
          <tr className="h-8 border-b text-left text-12 text-faint">{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** How a column sorts its table. */
export interface ColumnSort {
  /** Where the next order is. */
  href: string;
  /** The order that the table has by this column. Omitted: it has another. */
  direction?: "ascending" | "descending" | "other";
  title: string;
}

interface ThProps extends CellProps {
  /** The link that sorts by this column, or turns the order round. */
  sort?: ColumnSort;
  /** Shown before the link: what selects all rows. */
  mark?: ReactNode;
  children?: ReactNode;
}

export function Th({ align, from: shownFrom, sort, mark, children }: ThProps) {
  return (
    <th scope="col" aria-sort={sort?.direction} className={classes(cell({ align, from: shownFrom }), "font-normal")}>
      {mark}
      {sort ? (
        <Link
          href={sort.href}
          prefetch={false}
          scroll={false}
          title={sort.title}
          className={classes("hover:text-ink", sort.direction && "text-ink")}
        >
          {children}
          {sort.direction && <span aria-hidden> {sort.direction === "ascending" ? "↑" : "↓"}</span>}
        </Link>
      ) : (
        children
      )}
    </th>
  );
}

export function Td({ align, from: shownFrom, className, ...rest }: CellProps & Omit<ComponentProps<"td">, "align">) {
  return <td className={classes(cell({ align, from: shownFrom }), className)} {...rest} />;
}

interface RowProps {
  /** The row's link, in its first cell, `first`. Omitted: the row links nowhere. */
  href?: string;
  first: ReactNode;
  /** The link's name for screen readers, after the first cell's text: "delivery whd_…". */
  name?: string;
  /** Whether its panel is open. */
  isOpen?: boolean;
  /** Shown before the link: what selects the row. */
  mark?: ReactNode;
  children: ReactNode;
}

/** Shows a row that j and k reach and Enter opens. */
export function Row({ href, first, name, isOpen = false, mark, children }: RowProps) {
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
        {mark}
        {href ? (
          <Link
            href={href}
            prefetch={false}
            scroll={false}
            className={classes("row-link", mark ? "inline-block max-sm:block" : "block")}
          >
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

/** Puts something clickable above the row's own link. */
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
