import { MENU_ID } from "@/components/docs/client/places";
import type { NavigationGroup } from "@/components/docs/navigation-items";

/** Links to every page: in a column on the left, behind a button in a narrow window. */
export function Navigation({ groups, path: here }: { groups: readonly NavigationGroup[]; path: string }) {
  return (
    <>
      <button
        type="button"
        aria-expanded={false}
        aria-controls={MENU_ID}
        className="h-9 rounded-md border px-3 text-13 unscripted:hidden lg:hidden"
      >
        Contents
      </button>
      <nav
        id={MENU_ID}
        aria-label="Documentation"
        className="max-lg:absolute max-lg:inset-x-0 max-lg:top-full max-lg:z-20 max-lg:max-h-[calc(100dvh-52px)] max-lg:overflow-y-auto max-lg:border-b max-lg:bg-paper max-lg:px-4 max-lg:pb-6 max-lg:not-data-open:scripted:hidden max-lg:unscripted:static max-lg:unscripted:max-h-none lg:min-h-0 lg:grow lg:overflow-y-auto lg:px-4 lg:pb-8"
      >
        {groups.map(({ name, places }) => (
          <div key={name} className="mt-5 first:mt-4">
            <h2 className="mb-1 px-2 text-12 text-faint">{name}</h2>
            <ul className="grid gap-px">
              {places.map(({ name: title, path, method }) => (
                <li key={path}>
                  <a
                    href={path}
                    aria-current={path === here ? "page" : undefined}
                    className="flex min-h-7 scroll-my-8 items-baseline gap-2 rounded-md px-2 py-1 text-13 transition-colors not-aria-[current=page]:hover:bg-hover aria-[current=page]:bg-picked aria-[current=page]:font-medium max-lg:py-2"
                  >
                    <span className="min-w-0 grow text-pretty">{title}</span>
                    {method && (
                      <span className="shrink-0 font-mono text-12 font-normal text-faint">{short(method)}</span>
                    )}
                  </a>
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
