import type { TryCall } from "@/components/docs/examples";
import { CopyCode } from "@/components/docs/sample";

/** Sends the example to this service, and shows the response (client/try-it.ts). */
export function TryIt({ id, call, label }: { id: string; call: TryCall; label: string }) {
  return (
    <div className="grid grid-cols-1 gap-2 unscripted:hidden print:hidden">
      <button
        type="button"
        data-try={JSON.stringify(call)}
        aria-controls={`${id}-tried`}
        aria-label={`Try it: ${label}`}
        className="h-8 w-max rounded-md border bg-raised px-3 text-13 font-medium hover:bg-hover aria-disabled:opacity-50 max-sm:h-9"
      >
        Try it
      </button>
      {call.before && (
        <p className="text-12 text-faint text-pretty">
          This example needs an event. “Try it” creates it in your calendar first: {call.before.summary}.
        </p>
      )}
      <div id={`${id}-tried`} hidden className="sample overflow-hidden rounded-md border bg-sunk">
        <div className="flex min-h-9 items-center justify-between gap-4 pr-1.5 pl-3 text-12 text-faint">
          <span data-title="" />
          <CopyCode label={`your response: ${label}`} />
        </div>
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached with the keyboard.
          tabIndex={0}
          aria-label={`Your response: ${label}`}
          className="max-h-100 overflow-auto border-t px-3 py-2.5 focus-visible:-outline-offset-2"
        >
          <pre className="w-max min-w-full font-mono text-13" />
        </section>
      </div>
    </div>
  );
}
