"use client";

import { useRouter } from "next/navigation";
import type { Option } from "@/components/dashboard/filters/spec";
import { Chip } from "@/components/ui/chip";
import { Menu, MenuChoice } from "@/components/ui/menu";

interface SortMenuProps {
  options: readonly (Option & { href: string })[];
  /** The order of the page. Null: the query has one that the list does not know. */
  current: string | null;
}

/** Offers the orders of a list, also those of columns that a narrow window hides. */
export function SortMenu({ options, current }: SortMenuProps) {
  const router = useRouter();
  const label = options.find(({ value }) => value === current)?.label ?? "Unknown";
  const change = (value: string) => {
    const href = options.find((option) => option.value === value)?.href;
    if (href) router.push(href, { scroll: false });
  };
  return (
    <Menu
      trigger={
        <Chip isSet={current !== options[0]?.value}>
          <span className="sr-only">Sort: </span>
          {label} <span aria-hidden>↕</span>
        </Chip>
      }
    >
      <MenuChoice value={current ?? ""} onChange={change} options={options} />
    </Menu>
  );
}
