import Link from "next/link";
import { filtered, type Params, valuesOf } from "@/components/dashboard/address/address";
import type { Option } from "@/components/dashboard/filters/spec";
import { Deferred } from "@/components/dashboard/live/deferred";
import { classes } from "@/components/ui/classes";
import { Count } from "@/components/ui/number";
import type { Count as Counted } from "@/server/services/staff/lists/paging";

interface CountTabsProps {
  path: string;
  params: Params;
  /** The filter that they set, and its name for screen readers. */
  name: string;
  label: string;
  options: readonly Option[];
  /** Counts what a tab shows; null: all. */
  count(value: string | null): Promise<Counted | undefined>;
}

/** Shows the values of a filter as tabs, each with its count. If they do not fit, they scroll sideways. */
export function CountTabs({ path, params, name, label, options, count }: CountTabsProps) {
  const chosen = valuesOf(params, name);
  const tabs = [{ value: null, label: "All" }, ...options];
  return (
    <nav aria-label={label} className="flex gap-5 overflow-x-auto scrollbar-none border-b px-6 max-sm:px-4">
      {tabs.map(({ value, label: word }) => {
        const isHere = value === null ? chosen.length === 0 : chosen.length === 1 && chosen[0] === value;
        return (
          <Link
            key={word}
            href={filtered(path, params, { [name]: value })}
            prefetch={false}
            aria-current={isHere ? "page" : undefined}
            className={classes(
              "flex h-9 max-sm:h-11 shrink-0 items-center gap-1.5 border-b text-13 -outline-offset-2",
              isHere ? "border-accent text-ink" : "border-transparent text-faint hover:text-ink",
            )}
          >
            {word}
            <span className="text-12 text-faint">
              <Deferred of={count(value).then((counted) => counted && <Count {...counted} />)} />
            </span>
          </Link>
        );
      })}
    </nav>
  );
}
