import type { ReactNode } from "react";
import { markdownPath } from "@/components/docs/written/parts";

/** Shows a section's title, with a link to itself. */
export function SectionTitle({ id, children }: { id: string; children: string }) {
  return (
    <h2 id={id} className="group scroll-mt-6 text-20 font-medium max-lg:scroll-mt-18">
      {children}
      <a
        href={`#${id}`}
        aria-label={`Link to “${children}”`}
        className="ml-2 font-normal text-faint opacity-0 group-hover:opacity-100 focus-visible:opacity-100 print:hidden"
      >
        #
      </a>
    </h2>
  );
}

interface PageHeadProps {
  title: string;
  path: string;
  /** The content above the title. */
  above?: string;
  children?: ReactNode;
}

/** Shows the page's title and subject, and links to its Markdown. */
export function PageHead({ title, path, above, children }: PageHeadProps) {
  const markdown = markdownPath(path);
  return (
    <header>
      {above && <p className="mb-1 text-13 text-faint">{above}</p>}
      <h1 className="text-28 font-medium tracking-tight text-balance">{title}</h1>
      {children}
      <p className="mt-3 flex flex-wrap gap-x-4 text-13 text-faint print:hidden">
        <button
          type="button"
          data-copy-page={markdown}
          className="py-0.5 underline-offset-3 hover:text-ink hover:underline unscripted:hidden"
        >
          Copy as Markdown
        </button>
        <a href={markdown} className="py-0.5 underline-offset-3 hover:text-ink hover:underline">
          View as Markdown
        </a>
      </p>
    </header>
  );
}
