import Link from "next/link";
import type { ReactNode } from "react";
import { KeyboardRows } from "@/components/dashboard/shell/keyboard-rows";
import { Me } from "@/components/dashboard/shell/me";
import { NavigationBar } from "@/components/dashboard/shell/navigation-bar";
import { NoScript } from "@/components/dashboard/shell/no-script";
import { Palette } from "@/components/dashboard/shell/palette";
import { Sidebar } from "@/components/dashboard/shell/sidebar";
import type { Theme } from "@/components/dashboard/shell/theme";
import { SAID } from "@/components/ui/announce";
import type { ShownTimes } from "@/components/ui/shown-times";
import { TimesProvider } from "@/components/ui/times";
import type { SignedInOperator } from "@/server/services/staff/procedure/staff-context";

interface ShellProps {
  operator: Pick<SignedInOperator, "name" | "email" | "role" | "applications">;
  theme: Theme;
  times: ShownTimes;
  children: ReactNode;
}

/** Renders the frame of every page for someone who is signed in. */
export function Shell({ operator, theme, times, children }: ShellProps) {
  return (
    <TimesProvider shown={times}>
      <NavigationBar />
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-raised focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      <div className="md:grid md:min-h-dvh md:grid-cols-[184px_minmax(0,1fr)]">
        <header className="flex bg-paper md:sticky md:top-0 md:h-dvh md:flex-col md:gap-4 md:border-r md:p-3 max-md:items-center max-md:justify-between max-md:border-b max-md:px-4 max-md:h-13">
          <Link href="/dashboard" prefetch={false} className="font-serif text-20 md:px-2 md:pt-1">
            Almanac
          </Link>
          <div className="max-md:ml-auto">
            <Palette role={operator.role} />
          </div>
          <Sidebar role={operator.role} applications={operator.applications} />
          <div className="md:mt-auto">
            <Me operator={operator} theme={theme} />
          </div>
        </header>
        <main id="content" tabIndex={-1} className="min-w-0 outline-none max-md:pb-16">
          <NoScript />
          {children}
        </main>
      </div>
      <KeyboardRows />
      <div id={SAID} role="status" className="sr-only" />
    </TimesProvider>
  );
}
