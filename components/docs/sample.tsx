import { Fragment } from "react";
import { type Language, toned } from "@/components/docs/highlight";
import { classes } from "@/components/ui/classes";

export interface SampleText {
  /** Its title: "Open a calendar". */
  name: string;
  text: string;
  language: Language;
  /** Unique on the page. Default: its name. */
  label?: string;
}

interface SampleProps extends SampleText {
  isTall?: boolean;
}

/** Shows code to read and to copy. */
export function Sample({ name, text, language, isTall, label = name }: SampleProps) {
  return (
    <div className="sample overflow-hidden rounded-md border bg-sunk">
      <div className="flex min-h-9 items-center justify-between gap-4 border-b pr-1.5 pl-3 text-12 text-faint print:border-0">
        <span>{name}</span>
        <CopyCode label={label} />
      </div>
      <CodeBox text={text} language={language} label={label} isTall={isTall} />
    </div>
  );
}

/** Copies the code beside it (client/copy.ts). */
export function CopyCode({ label }: { label: string }) {
  return (
    <button
      type="button"
      data-copy={label}
      aria-label={`Copy ${label}`}
      className="h-6 rounded-md px-2 font-medium transition-colors hover:bg-hover hover:text-ink max-sm:h-8 unscripted:hidden print:hidden"
    >
      Copy
    </button>
  );
}

interface CodeBoxProps extends Omit<SampleText, "name" | "label"> {
  label: string;
  isTall?: boolean;
}

export function CodeBox({ text, language, label, isTall }: CodeBoxProps) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached with the keyboard.
      tabIndex={0}
      aria-label={label}
      className={classes(
        "overflow-auto px-3 py-2.5 focus-visible:-outline-offset-2 print:max-h-none",
        !isTall && "max-h-100",
      )}
    >
      <pre className="w-max min-w-full font-mono text-13 print:w-auto print:whitespace-pre-wrap print:wrap-anywhere">
        <Toned text={text} language={language} />
      </pre>
    </section>
  );
}

function Toned({ text, language }: Pick<SampleText, "text" | "language">) {
  let at = 0;
  return toned(text, language).map((piece) => {
    at += piece.text.length;
    return piece.tone === "plain" ? (
      <Fragment key={at}>{piece.text}</Fragment>
    ) : (
      <span key={at} className={`tone-${piece.tone}`}>
        {piece.text}
      </span>
    );
  });
}
