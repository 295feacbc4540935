import { Fragment } from "react";
import { type MarkdownPart, markdownParts, type Run, runsOf } from "@/components/docs/markdown-parts";
import { classes } from "@/components/ui/classes";

interface MarkdownProps {
  text: string;
  className?: string;
}

/** Our own texts, as elements: nothing in them becomes HTML. */
export function Markdown({ text, className }: MarkdownProps) {
  const seen = new Map<string, number>();
  return (
    <div className={classes("prose-docs", className)}>
      {markdownParts(text).map((part) => {
        const key = JSON.stringify(part);
        const nth = (seen.get(key) ?? 0) + 1;
        seen.set(key, nth);
        return <Part key={`${key}${nth}`} part={part} />;
      })}
    </div>
  );
}

/** One line of Markdown, without a paragraph around it. */
export function Line({ text }: { text: string }) {
  let at = 0;
  return runsOf(text).map((run) => {
    at += run.text.length + 1;
    return <Fragment key={at}>{shown(run)}</Fragment>;
  });
}

function Part({ part }: { part: MarkdownPart }) {
  if (part.kind === "heading") return <h3>{<Line text={part.text} />}</h3>;
  if (part.kind === "paragraph") return <p>{<Line text={part.text} />}</p>;
  if (part.kind === "table") return <Rows head={part.head} rows={part.rows} />;
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
  label?: string;
}

/** A table in columns as wide as their texts; it scrolls within itself where the window is narrow. */
export function Rows({ head, rows, label = `Table: ${head.join(", ")}` }: RowsProps) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached with the keyboard.
      tabIndex={0}
      aria-label={label}
      className="doc-table"
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
                <td key={`${head[column]}`}>
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

function shown({ kind, text, href = "" }: Run) {
  if (kind === "code") return <code>{text}</code>;
  if (kind === "strong") return <strong>{text}</strong>;
  if (kind === "text") return text;
  const label = /^`.*`$/.test(text) ? <code>{text.slice(1, -1)}</code> : text;
  if (!/^\/docs(\/|$|#)/.test(href)) return <a href={href}>{label}</a>;
  return <a href={href}>{label}</a>;
}
