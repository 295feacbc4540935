import { Fragment, type ReactNode } from "react";
import { type MarkdownPart, markdownParts, type Run, runsOf, spokenText } from "@/components/docs/markdown-parts";
import { slug } from "@/components/docs/slug";
import { classes } from "@/components/ui/classes";

interface MarkdownProps {
  text: string;
  className?: string;
  /** Distinguishes its tables from others on the page with the same heads. */
  about?: string;
}

/** Renders our own texts as elements: nothing in them becomes HTML. */
export function Markdown({ text, className, about }: MarkdownProps) {
  const seen = new Map<string, number>();
  return (
    <div className={classes("prose-docs", className)}>
      {markdownParts(text).map((part) => {
        const key = JSON.stringify(part);
        const nth = (seen.get(key) ?? 0) + 1;
        seen.set(key, nth);
        return <Part key={`${key}${nth}`} part={part} about={about} />;
      })}
    </div>
  );
}

/** Renders one line of Markdown, without a paragraph around it. */
export function Line({ text }: { text: string }) {
  let at = 0;
  return runsOf(text).map((run) => {
    at += run.text.length + 1;
    return <Fragment key={at}>{shown(run)}</Fragment>;
  });
}

function Part({ part, about }: { part: MarkdownPart; about: string | undefined }) {
  if (part.kind === "heading") {
    return (
      <h3 id={slug(spokenText(part.text))} className="scroll-mt-6 font-medium max-lg:scroll-mt-18">
        <Line text={part.text} />
      </h3>
    );
  }
  if (part.kind === "paragraph") return <p>{<Line text={part.text} />}</p>;
  if (part.kind === "table") return <Rows head={part.head} rows={part.rows} about={about} />;
  const List = part.isOrdered ? "ol" : "ul";
  return (
    <List>
      {part.items.map((item) => (
        <li key={item}>
          <Line text={item} />
        </li>
      ))}
    </List>
  );
}

interface RowsProps {
  head: readonly string[];
  rows: readonly (readonly string[])[];
  about?: string;
  label?: string;
}

/**
 * Shows a table in columns as wide as their texts. If the window is too narrow for them, the cells of a row are
 * stacked.
 */
export function Rows({ head, rows, about, label = labelOf(head, about) }: RowsProps) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached with the keyboard.
      tabIndex={0}
      aria-label={label}
      className={classes("doc-table", ...layoutOf(rows))}
    >
      <table>
        <thead>
          <tr>
            {head.map((cell) => (
              <th key={cell} scope="col">
                <Line text={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join("|")}>
              {row.map((cell, column) => (
                <td key={`${head[column]}`} data-head={spokenText(head[column] ?? "")}>
                  <Line text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function labelOf(head: readonly string[], about: string | undefined): string {
  return `Table: ${head.map(spokenText).join(", ")}${about ? ` (${about})` : ""}`;
}

/** Characters that fit side by side in the narrowest window. */
const NARROW = 44;
/** Characters that fit side by side on a page, however wide the window is. */
const PAGE = 100;
/** The narrowest a column of sentences can be. */
const SENTENCE = 24;
/** Columns of a schedule, which only make sense side by side. */
const SCHEDULE = 7;

/** Decides the layout of rows that are wider than a window, or than a page. */
function layoutOf(rows: readonly (readonly string[])[]): (string | false)[] {
  const width = (rows[0]?.length ?? 0) < SCHEDULE ? narrowest(rows) : 0;
  if (width > PAGE) return ["doc-table-unfolds"];
  return [width > NARROW && "doc-table-folds", isComparison(rows) && "doc-table-compares"];
}

/** Counts the characters of the narrowest columns: names in the first one stay in one piece, and sentences wrap. */
function narrowest(rows: readonly (readonly string[])[]): number {
  const widths = (rows[0] ?? []).map((_, column) => {
    const cells = rows.map((row) => row[column] ?? "");
    const names = cells.flatMap((cell) => (column === 0 ? runsOf(cell).filter(({ kind }) => kind === "code") : []));
    const sentences = Math.min(longest(cells.map(spokenText)), SENTENCE);
    return Math.max(longest(names.map(({ text }) => text)), sentences);
  });
  return widths.reduce((sum, width) => sum + width, 0);
}

/** Checks whether three columns or more beside the first contain sentences: none of them may become a ribbon. */
function isComparison(rows: readonly (readonly string[])[]): boolean {
  const columns = (rows[0] ?? []).slice(1).map((_, column) => rows.map((row) => spokenText(row[column + 1] ?? "")));
  return columns.length > 2 && columns.every((cells) => longest(cells) >= SENTENCE);
}

function longest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}

function shown({ kind, text, href = "" }: Run) {
  if (kind === "code") return <code>{breakable(text)}</code>;
  if (kind === "strong") return <strong>{text}</strong>;
  if (kind === "text") return text;
  const label = /^`.*`$/.test(text) ? <code>{breakable(text.slice(1, -1))}</code> : text;
  if (!/^\/docs(\/|$|#)/.test(href)) return <a href={href}>{label}</a>;
  return <a href={href}>{label}</a>;
}

/**
 * A name that is wider than a column of a narrow window may end a line after each of its words, and an expression that
 * contains one at each space.
 */
const LONG_NAME = /[^\s]{30,}/;

function breakable(name: string): ReactNode {
  if (!LONG_NAME.test(name)) return name;
  let at = 0;
  return name.split(/(?<=[_./])(?=\w)|(?<=\s)/).map((word) => {
    at += word.length;
    return (
      <Fragment key={at}>
        {word}
        {at < name.length && <wbr />}
      </Fragment>
    );
  });
}
