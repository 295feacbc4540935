"use client";

import Link from "next/link";
import type { FormEvent } from "react";
import { filtered, firstOf, type Params, valuesOf } from "@/components/dashboard/address/address";
import { ranges, typedTime } from "@/components/dashboard/address/time-range";
import type { Filter } from "@/components/dashboard/filters/spec";
import { Button } from "@/components/ui/button";
import { classes } from "@/components/ui/classes";
import { Checkbox, TextField } from "@/components/ui/field";
import { useTimes } from "@/components/ui/times";
import { wallClock } from "@/components/ui/zoned-time";
import { clock } from "@/server/clock";

interface FilterFormProps {
  filter: Filter;
  path: string;
  params: Params;
  onSubmit(event: FormEvent<HTMLFormElement>): void;
  onDone(): void;
}

/** Shows what a chip opens: checkboxes, a list, a text, or a time range. */
export function FilterForm({ filter, path, params, onSubmit, onDone }: FilterFormProps) {
  if (filter.kind === "one") return <Choices filter={filter} path={path} params={params} onDone={onDone} />;
  return (
    <form method="get" action={path} onSubmit={onSubmit} className="grid grid-cols-1 gap-3">
      {filter.kind === "many" && (
        <fieldset className="max-h-72 overflow-auto">
          <legend className="sr-only">{filter.label}</legend>
          {filter.options.map(({ value, label }) => (
            <Checkbox
              key={value}
              name={filter.name}
              value={value}
              label={label}
              defaultChecked={valuesOf(params, filter.name).includes(value)}
            />
          ))}
        </fieldset>
      )}
      {filter.kind === "many" && filter.typed && (
        <TextField
          label={filter.typed.label}
          name={filter.typed.name}
          placeholder={filter.typed.placeholder}
          defaultValue={firstOf(params, filter.typed.name)}
        />
      )}
      {filter.kind === "text" && (
        <TextField
          label={filter.label}
          name={filter.name}
          placeholder={filter.placeholder}
          hint={filter.hint}
          defaultValue={firstOf(params, filter.name)}
        />
      )}
      {filter.kind === "time" && <Times path={path} params={params} onDone={onDone} />}
      <Button type="submit" look="primary">
        Apply
      </Button>
    </form>
  );
}

function Choices({
  filter,
  path,
  params,
  onDone,
}: Omit<FilterFormProps, "onSubmit" | "filter"> & { filter: Filter & { kind: "one" } }) {
  const chosen = firstOf(params, filter.name);
  return (
    <ul className="max-h-72 overflow-auto">
      {filter.options.map(({ value, label }) => (
        <li key={value}>
          <ChoiceLink href={filtered(path, params, { [filter.name]: value })} isSet={value === chosen} onDone={onDone}>
            {label}
          </ChoiceLink>
        </li>
      ))}
      {filter.options.length === 0 && <li className="text-13 text-faint">Nothing to choose from yet.</li>}
    </ul>
  );
}

function Times({ path, params, onDone }: Pick<FilterFormProps, "path" | "params" | "onDone">) {
  const chosen = firstOf(params, "range");
  const { mode, zone } = useTimes();
  const where = mode === "utc" ? "UTC" : "local time";
  return (
    <>
      <ul>
        {ranges.map(({ value, label }) => (
          <li key={value}>
            <ChoiceLink
              href={filtered(path, params, { range: value, from: null, to: null })}
              isSet={value === chosen}
              onDone={onDone}
            >
              {label}
            </ChoiceLink>
          </li>
        ))}
      </ul>
      <TextField
        label={`From (${where})`}
        hint={`Now: ${wallClock(clock().now(), zone).slice(11, 16)} ${mode === "utc" ? "UTC" : `(${zone})`}`}
        name="from"
        type="datetime-local"
        step={1}
        defaultValue={typedTime(firstOf(params, "from"), zone)}
      />
      <TextField
        label={`To (${where})`}
        name="to"
        type="datetime-local"
        step={1}
        defaultValue={typedTime(firstOf(params, "to"), zone)}
      />
    </>
  );
}

interface ChoiceLinkProps {
  href: string;
  isSet: boolean;
  onDone(): void;
  children: string;
}

function ChoiceLink({ href, isSet, onDone, children }: ChoiceLinkProps) {
  return (
    <Link
      href={href}
      prefetch={false}
      onClick={onDone}
      aria-current={isSet ? "true" : undefined}
      className={classes(
        "flex min-h-8 max-sm:min-h-10 items-center justify-between rounded-sm px-2 text-13 hover:bg-hover",
        isSet && "bg-picked",
      )}
    >
      {children}
      {isSet && <span aria-hidden>✓</span>}
    </Link>
  );
}
