import type { Table } from "@/components/docs/markdown-parts";
import type { SampleText } from "@/components/docs/sample";

/** Joins pieces of Markdown with blank lines. */
export function pieces(...all: readonly (string | null | undefined | false)[]): string {
  return all.filter(Boolean).join("\n\n");
}

export function written({ name, language, text }: SampleText): string {
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return pieces(`**${name}**`, [`${fence}${fenceName(language)}`, text, fence].join("\n"));
}

function fenceName(language: SampleText["language"]): string {
  return { shell: "sh", text: "" }[language as "shell" | "text"] ?? language;
}

export function table({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/**
 * Completes a text's links: those within the documentation lead to its Markdown, and contain this service's address.
 */
export function withAddresses(markdown: string, site: string): string {
  const linked = markdown
    .replace(/\]\((\/docs(?:\/[\w./-]*)?)(#[^)]*)?\)/g, (_, path, id = "") => `](${site}${markdownPath(path)}${id})`)
    .replace(/\]\((\/[^)]*)\)/g, `](${site}$1)`);
  return `${linked}\n`;
}

/** Returns the path of a page's Markdown: `/docs/webhooks.md`. */
export function markdownPath(path: string): string {
  return `${path}.md`;
}
