"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useEffect, useId, useRef, useState } from "react";
import type { NavigationGroup } from "@/components/docs/navigation-items";
import { classes } from "@/components/ui/classes";

/** Every page: a column at the left, behind a button in a narrow window. */
export function Navigation({ groups }: { groups: readonly NavigationGroup[] }) {
  const pathname = usePathname();
  const id = useId();
  const here = useRef<HTMLAnchorElement>(null);
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const isOpen = openedAt === pathname;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page has another link that says "here".
  useEffect(() => {
    here.current?.scrollIntoView({ block: "nearest" });
  }, [pathname]);
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpenedAt(isOpen ? null : pathname)}
        className="h-9 rounded-md border px-3 text-13 lg:hidden"
      >
        Contents
      </button>
      <nav
        id={id}
        aria-label="Documentation"
        className={classes(
          "lg:min-h-0 lg:grow lg:overflow-y-auto lg:px-4 lg:pb-8",
          "max-lg:absolute max-lg:inset-x-0 max-lg:top-full max-lg:z-20 max-lg:max-h-[calc(100dvh-52px)] max-lg:overflow-y-auto max-lg:border-b max-lg:bg-paper max-lg:px-4 max-lg:pb-6",
          !isOpen && "max-lg:hidden",
        )}
      >
        {groups.map(({ name, places }) => (
          <div key={name} className="mt-5 first:mt-4">
            <h2 className="mb-1 px-2 text-12 text-faint">{name}</h2>
            <ul className="grid gap-px">
              {places.map(({ name: title, path, method }) => (
                <li key={path}>
                  <Link
                    ref={path === pathname ? here : undefined}
                    href={path}
                    prefetch={false}
                    aria-current={path === pathname ? "page" : undefined}
                    className={classes(
                      "flex min-h-7 scroll-my-8 items-baseline gap-2 rounded-md px-2 py-1 text-13 transition-colors max-lg:py-2",
                      path === pathname ? "bg-picked font-medium text-ink" : "text-ink hover:bg-hover",
                    )}
                  >
                    <span className="min-w-0 grow text-pretty">{title}</span>
                    {method && (
                      <span className="shrink-0 font-mono text-12 font-normal text-faint">{short(method)}</span>
                    )}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </>
  );
}

function short(method: string): string {
  return method === "DELETE" ? "DEL" : method;
}
