import { CopyButton } from "@/components/ui/copy-button";

interface CodeProps {
  /** Its title: "Body sent". */
  name: string;
  text: string;
}

/** Shows a stranger's text as text: never as HTML or links. JSON is formatted. */
export function Code({ name, text }: CodeProps) {
  const shown = laidOut(text);
  return (
    <div className="overflow-hidden rounded-md border bg-sunk">
      <div className="flex min-h-8 items-center justify-between gap-4 pr-1 pl-3 text-12 text-faint">
        {name}
        <CopyButton text={text} name={name} />
      </div>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached with the keyboard.
        tabIndex={0}
        aria-label={name}
        className="max-h-80 overflow-auto px-3 pb-3 focus-visible:-outline-offset-2"
      >
        <pre className="font-mono text-12 whitespace-pre-wrap wrap-anywhere">{shown}</pre>
      </section>
    </div>
  );
}

/** Shows any value as JSON. */
export function Json({ name, value }: { name: string; value: unknown }) {
  return <Code name={name} text={JSON.stringify(value, null, 2) ?? ""} />;
}

/** Shows header lines, name and value. */
export function HeaderLines({ name, headers }: { name: string; headers: readonly { name: string; value: string }[] }) {
  return <Code name={name} text={headers.map((header) => `${header.name}: ${header.value}`).join("\n")} />;
}

function laidOut(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
