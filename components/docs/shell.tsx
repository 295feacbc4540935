import type { ReactNode } from "react";
import { FrameLinks } from "@/components/docs/frame-links";
import { Navigation } from "@/components/docs/navigation";
import type { NavigationGroup } from "@/components/docs/navigation-items";
import { SearchField } from "@/components/docs/search-field";
import { ThemeButton } from "@/components/docs/theme-button";
import { SAID } from "@/components/ui/announce";

interface DocsShellProps {
  groups: readonly NavigationGroup[];
  /** The path of the current page. */
  path: string;
  /** The script that runs once the menu has its full height. */
  menu: string;
  children: ReactNode;
}

/** Renders the frame of every page of the documentation. */
export function DocsShell({ groups, path, menu, children }: DocsShellProps) {
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-raised focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      <div className="lg:grid lg:grid-cols-[264px_minmax(0,1fr)] print:block">
        <header className="sticky top-0 z-20 flex bg-paper print:hidden max-lg:h-13 max-lg:items-center max-lg:gap-2 max-lg:border-b max-lg:px-4 max-lg:unscripted:static max-lg:unscripted:block max-lg:unscripted:h-auto lg:h-dvh lg:flex-col lg:border-r">
          <div className="flex items-baseline gap-2 max-lg:mr-auto lg:pt-4 lg:pr-4 lg:pb-3 lg:pl-6">
            <a href="/docs" className="font-serif text-20">
              Almanac
            </a>
            <span className="text-13 text-faint lg:mr-auto">Docs</span>
            <ThemeButton />
          </div>
          <div className="max-lg:w-40 max-sm:w-28 unscripted:hidden lg:border-b lg:px-4 lg:pb-4">
            <SearchField />
          </div>
          <Navigation groups={groups} path={path} />
          <FrameLinks className="border-t px-6 py-3 max-lg:hidden" />
          <script>{menu}</script>
        </header>
        <main id="content" tabIndex={-1} className="min-w-0 outline-none">
          {children}
        </main>
      </div>
      <div id={SAID} role="status" className="sr-only" />
    </>
  );
}
