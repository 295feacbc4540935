"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { type Change, filtered, type Params, valuesOf } from "@/components/dashboard/address/address";
import { queriedTime, rangeWords } from "@/components/dashboard/address/time-range";
import { VIEW } from "@/components/dashboard/address/view";
import { AddFilter } from "@/components/dashboard/filters/add-filter";
import { FilterForm } from "@/components/dashboard/filters/filter-form";
import { SearchField } from "@/components/dashboard/filters/search-field";
import { chosenWords, type Filter } from "@/components/dashboard/filters/spec";
import { Chip, chipLook, chipSet } from "@/components/ui/chip";
import { classes } from "@/components/ui/classes";
import { Popover } from "@/components/ui/popover";
import { shortened } from "@/components/ui/shortened";
import { useTimes } from "@/components/ui/times";

interface FilterBarProps {
  path: string;
  params: Params;
  filters: readonly Filter[];
  /** The field that / focuses, by its name in the query. */
  search?: { name: string; placeholder: string; label: string };
  /** Shown between the search and the filters: saved views, and the order. */
  children?: ReactNode;
}

/** More unset filters than these are behind one button. */
const MOST_SHOWN = 4;

/**
 * Shows the query's filters as chips, each with a way to change it and to remove it. It stays in sight when the list is
 * scrolled, and set filters are in lines that wrap, before the others.
 */
export function FilterBar({ path, params, filters, search, children }: FilterBarProps) {
  const isSet = (filter: Filter) => namesOf(filter).some((name) => valuesOf(params, name).length > 0);
  const [set, unset] = [filters.filter(isSet), filters.filter((filter) => !isSet(filter))];
  const nothing = { [VIEW]: null, ...Object.fromEntries(filters.flatMap(namesOf).map((name) => [name, null])) };
  const bar = useRef<HTMLDivElement>(null);
  const changed = useRef<string | null>(null);
  const router = useRouter();
  const { zone } = useTimes();
  const apply = (filter: Filter, event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    changed.current = filter.name;
    router.push(filtered(path, params, changeOf(filter, new FormData(event.currentTarget), zone)));
  };
  // A chip that is set moves, and takes no focus along.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chips move when the query changes.
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (changed.current && isLost)
      bar.current?.querySelector<HTMLElement>(`[data-filter="${changed.current}"]`)?.focus();
    changed.current = null;
  }, [params]);
  const chip = (filter: Filter) => (
    <FilterChip
      key={filter.name}
      filter={filter}
      path={path}
      params={params}
      onSubmit={apply}
      onChange={() => {
        changed.current = filter.name;
      }}
    />
  );
  return (
    <div ref={bar} className="sticky top-0 z-10 bg-paper">
      {set.length > 0 && (
        <section aria-label="Active filters" className="flex flex-wrap items-center gap-1.5 px-6 pt-1.5 max-sm:px-4">
          {set.map(chip)}
          <Link
            href={filtered(path, params, nothing)}
            prefetch={false}
            className="px-2 py-1 text-13 text-accent hover:underline max-sm:py-2"
          >
            Clear
          </Link>
        </section>
      )}
      <div className="flex items-center gap-1.5 overflow-x-auto scrollbar-none px-6 py-1.5 max-sm:px-4">
        {search && <SearchField path={path} params={params} search={search} />}
        {children}
        {unset.length > MOST_SHOWN ? (
          <AddFilter
            filters={unset}
            path={path}
            params={params}
            onSubmit={apply}
            onChange={(filter) => {
              changed.current = filter.name;
            }}
          />
        ) : (
          unset.map(chip)
        )}
      </div>
    </div>
  );
}

interface FilterChipProps {
  filter: Filter;
  path: string;
  params: Params;
  onSubmit(filter: Filter, event: FormEvent<HTMLFormElement>): void;
  onChange(): void;
}

function FilterChip({ filter, path, params, onSubmit, onChange }: FilterChipProps) {
  const [isOpen, setOpen] = useState(false);
  const { zone } = useTimes();
  const words = filter.kind === "time" ? rangeWords(params, zone) : chosenWords(filter, params);
  const without = filtered(path, params, Object.fromEntries(namesOf(filter).map((name) => [name, null])));
  return (
    <Popover
      isOpen={isOpen}
      onOpenChange={setOpen}
      label={filter.label}
      trigger={
        words === null ? (
          <Chip className="border-dashed" data-filter={filter.name}>
            {filter.label}
          </Chip>
        ) : (
          <Chip isSet className="rounded-r-none border-r-0 pr-1" data-filter={filter.name}>
            <span className="text-faint">{filter.label}</span>
            <span className="max-w-44 truncate">{/^[a-z]+_[0-9a-f]{24}$/.test(words) ? shortened(words) : words}</span>
          </Chip>
        )
      }
      beside={
        words !== null && (
          <Link
            href={without}
            prefetch={false}
            aria-label={`Remove filter ${filter.label}: ${words}`}
            onClick={onChange}
            className={classes(
              chipLook,
              chipSet,
              "min-w-7 justify-center rounded-l-none border-l-0 pl-1 text-faint max-sm:min-w-9",
            )}
          >
            <span aria-hidden>×</span>
          </Link>
        )
      }
    >
      <FilterForm
        filter={filter}
        path={path}
        params={params}
        onSubmit={(event) => {
          onSubmit(filter, event);
          setOpen(false);
        }}
        onDone={() => {
          onChange();
          setOpen(false);
        }}
      />
    </Popover>
  );
}

function namesOf(filter: Filter): string[] {
  if (filter.kind === "time") return ["range", "from", "to"];
  return filter.kind === "many" && filter.typed ? [filter.name, filter.typed.name] : [filter.name];
}

function changeOf(filter: Filter, form: FormData, zone: string): Change {
  const texts = (name: string) => form.getAll(name).map((value) => String(value).trim());
  if (filter.kind === "many" && filter.typed) {
    const typed = texts(filter.typed.name).filter(Boolean);
    return { [filter.typed.name]: typed, [filter.name]: typed.length > 0 ? null : texts(filter.name) };
  }
  if (filter.kind !== "time") return { [filter.name]: texts(filter.name) };
  const times = (name: string) => texts(name).map((typed) => queriedTime(typed, zone));
  return { range: null, from: times("from"), to: times("to") };
}
