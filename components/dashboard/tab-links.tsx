import Link from "next/link";
import { classes } from "@/components/ui/classes";

export interface Tab {
  name: string;
  path: string;
  /** What the page has: "2 notes". */
  aside?: string;
}

interface TabLinksProps {
  /** Their name for screen readers. */
  label: string;
  tabs: readonly Tab[];
  /** The path of the current page. */
  here: string;
}

/** Shows the pages about one thing, each with an address. If they do not fit, they scroll sideways. */
export function TabLinks({ label, tabs, here }: TabLinksProps) {
  return (
    <nav aria-label={label} className="flex gap-5 overflow-x-auto scrollbar-none border-b px-6 max-sm:px-4">
      {tabs.map(({ name, path, aside }) => (
        <Link
          key={path}
          href={path}
          prefetch={false}
          aria-current={path === here ? "page" : undefined}
          data-action={path === here ? undefined : `${label}: ${name}`}
          className={classes(
            "flex h-9 max-sm:h-11 shrink-0 items-center gap-1.5 border-b text-13 -outline-offset-2",
            path === here ? "border-accent text-ink" : "border-transparent text-faint hover:text-ink",
          )}
        >
          {name}
          {aside && <span className="text-12 text-faint">{aside}</span>}
        </Link>
      ))}
    </nav>
  );
}
