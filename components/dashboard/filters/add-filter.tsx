"use client";

import { type FormEvent, useState } from "react";
import type { Params } from "@/components/dashboard/address/address";
import { FilterForm } from "@/components/dashboard/filters/filter-form";
import type { Filter } from "@/components/dashboard/filters/spec";
import { Chip } from "@/components/ui/chip";
import { Popover } from "@/components/ui/popover";

interface AddFilterProps {
  filters: readonly Filter[];
  path: string;
  params: Params;
  onSubmit(filter: Filter, event: FormEvent<HTMLFormElement>): void;
  onChange(filter: Filter): void;
}

/** Offers the filters that are not set: first which one, then its values. */
export function AddFilter({ filters, path, params, onSubmit, onChange }: AddFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<Filter | null>(null);
  const change = (toOpen: boolean) => {
    setOpen(toOpen);
    setChosen(null);
  };
  return (
    <Popover
      isOpen={isOpen}
      onOpenChange={change}
      label={chosen?.label ?? "Filter"}
      trigger={<Chip className="border-dashed">+ Filter</Chip>}
    >
      {chosen === null ? (
        <ul className="max-h-80 overflow-auto">
          {filters.map((filter) => (
            <li key={filter.name}>
              <button
                type="button"
                onClick={() => setChosen(filter)}
                className="flex min-h-8 w-full items-center rounded-sm px-2 text-left text-13 hover:bg-hover max-sm:min-h-10"
              >
                {filter.label}
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <>
          <p className="mb-2 text-12 text-faint">{chosen.label}</p>
          <FilterForm
            filter={chosen}
            path={path}
            params={params}
            onSubmit={(event) => {
              onSubmit(chosen, event);
              change(false);
            }}
            onDone={() => {
              onChange(chosen);
              change(false);
            }}
          />
        </>
      )}
    </Popover>
  );
}
