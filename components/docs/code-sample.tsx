import type { Language } from "@/components/docs/highlight";
import { CodeBox, CopyCode } from "@/components/docs/sample";

/** A code sample in one of several languages. */
export interface Variant {
  /** The name under which its tab is remembered, on all pages. */
  id: string;
  title: string;
  language: Language;
  text: string;
}

interface CodeSampleProps {
  /** Prefix of ids, unique on the page. */
  id: string;
  name: string;
  variants: readonly Variant[];
  isTall?: boolean;
  /** Unique on the page. Default: its name. */
  label?: string;
}

/** Shows the same code in several languages, one at a time: the one that the reader chose anywhere, or the first. */
export function CodeSample({ id, name, variants, isTall, label = name }: CodeSampleProps) {
  return (
    <div className="code sample overflow-hidden rounded-md border bg-sunk">
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 border-b pr-1.5 pl-3 text-12 text-faint print:border-0">
        <span className="grow py-1">{name}</span>
        <div
          role="tablist"
          aria-label={`Language of ${label}`}
          className="-my-px flex gap-3 overflow-x-auto scrollbar-none max-sm:order-last max-sm:w-full unscripted:hidden print:hidden"
        >
          {variants.map(({ id: language, title }, index) => (
            <button
              key={language}
              type="button"
              role="tab"
              id={`${id}-${language}-tab`}
              aria-controls={`${id}-${language}`}
              aria-selected={index === 0}
              tabIndex={index === 0 ? 0 : -1}
              data-code={language}
              className="code-tab h-9 shrink-0 border-b-2 border-b-transparent px-0.5 hover:text-ink focus-visible:-outline-offset-2"
            >
              {title}
            </button>
          ))}
        </div>
        <CopyCode label={label} />
      </div>
      {variants.map(({ id: language, title, text, language: toned }, index) => (
        <div
          key={language}
          role="tabpanel"
          id={`${id}-${language}`}
          aria-labelledby={`${id}-${language}-tab`}
          data-code={language}
          data-first={index === 0 ? "" : undefined}
          className="code-panel"
        >
          <CodeBox text={text} language={toned} label={`${label}, ${title}`} isTall={isTall} />
        </div>
      ))}
    </div>
  );
}
