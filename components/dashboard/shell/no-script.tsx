import { State } from "@/components/ui/state";

/** Warns browsers without JavaScript: tables arrive after the page, which puts them in their places. */
export function NoScript() {
  return (
    <noscript>
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b px-6 py-2 text-13 max-sm:px-4">
        <State tone="wait">JavaScript is off</State>
        <p>
          The dashboard needs JavaScript to load data and make changes. Allow it for this site, then reload the page.
        </p>
      </div>
    </noscript>
  );
}
