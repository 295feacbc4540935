"use client";

import { useRouter } from "next/navigation";
import type { FormEvent } from "react";
import { filtered, firstOf, type Params } from "@/components/dashboard/address/address";

interface SearchFieldProps {
  path: string;
  params: Params;
  search: { name: string; placeholder: string; label: string };
}

/**
 * Shows the field that / focuses. Enter searches, and an empty field clears the search. Without scripts it is a plain
 * form.
 */
export function SearchField({ path, params, search }: SearchFieldProps) {
  const router = useRouter();
  const value = firstOf(params, search.name);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get(search.name) ?? "").trim();
    router.push(filtered(path, params, { [search.name]: typed }));
  };
  return (
    <search className="shrink-0">
      <form method="get" action={path} onSubmit={submit}>
        <input
          key={value}
          type="search"
          name={search.name}
          aria-label={search.label}
          aria-keyshortcuts="/"
          data-search=""
          defaultValue={value}
          placeholder={search.placeholder}
          autoComplete="off"
          spellCheck={false}
          className="h-7 w-56 rounded-full border bg-raised px-3 text-13 placeholder:text-faint hover:border-edge max-sm:h-9 max-sm:w-48"
          onKeyDown={(event) => {
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
      </form>
    </search>
  );
}
