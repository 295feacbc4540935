import type { ReactNode } from "react";
import { codeLanguages } from "@/components/docs/code/languages";
import { CodeSample } from "@/components/docs/code-sample";
import type { Block, Guide, Step } from "@/components/docs/guide";
import { PageHead, SectionTitle } from "@/components/docs/heading";
import { Line, Markdown } from "@/components/docs/markdown";
import { Sample } from "@/components/docs/sample";

interface GuidePageProps {
  guide: Guide;
  /** The rendered lists of the guide, by name. */
  lists?: Record<string, ReactNode>;
}

/** Shows a guide: its sections, and on the right what is on the page. */
export function GuidePage({ guide, lists = {} }: GuidePageProps) {
  const isTableRepeated = hasRepeatedTables(guide);
  return (
    <div className="mx-auto flex max-w-270 gap-14 px-10 pt-10 pb-14 max-sm:px-4 max-sm:pt-6 print:block print:p-0">
      <article className="min-w-0 max-w-180 grow">
        <PageHead title={guide.title} path={guide.path}>
          {guide.lead && (
            <p className="prose-docs mt-3 text-16 text-faint">
              <Line text={guide.lead} />
            </p>
          )}
        </PageHead>
        {guide.sections.map(({ id, title, blocks }) => (
          <section key={id} aria-labelledby={id || undefined} className="mt-10 grid grid-cols-1 gap-4">
            {title && <SectionTitle id={id}>{title}</SectionTitle>}
            {blocks.map((block) => (
              <Shown key={keyOf(block)} block={block} lists={lists} about={isTableRepeated ? title : undefined} />
            ))}
          </section>
        ))}
      </article>
      <nav aria-label="On this page" className="sticky top-10 hidden h-max w-48 shrink-0 xl:block print:hidden">
        <h2 className="mb-2 text-12 text-faint">On this page</h2>
        <ul className="grid border-l">
          {guide.sections
            .filter(({ title }) => title)
            .map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`} className="block py-1 pl-3 text-13 text-faint hover:text-ink">
                  {title}
                </a>
              </li>
            ))}
        </ul>
      </nav>
    </div>
  );
}

interface ShownProps {
  block: Block;
  lists: Record<string, ReactNode>;
  about: string | undefined;
}

function Shown({ block, lists, about }: ShownProps) {
  if (typeof block === "string") return <Markdown text={block} about={about} />;
  if ("list" in block) return lists[block.list];
  if ("step" in block) return <StepCode {...block} />;
  return <Sample {...block} isTall />;
}

function StepCode({ step, codes, response }: Step) {
  const variants = codeLanguages.flatMap((language) => {
    const text = codes[language.id];
    return text === undefined ? [] : [{ ...language, text }];
  });
  return (
    <div className="grid grid-cols-1 gap-2">
      <CodeSample id={idOf(step)} name={step} variants={variants} isTall />
      {response && <Sample {...response} label={`${response.name}: ${step}`} />}
    </div>
  );
}

/** Checks whether two of its tables have the same heads, so that a screen reader must say where each is. */
function hasRepeatedTables({ sections }: Guide): boolean {
  const texts = sections.flatMap(({ blocks }) => blocks).filter((block) => typeof block === "string");
  const heads = texts.flatMap((text) => text.match(/^\|.*\|(?=\n\|---)/gm) ?? []);
  return new Set(heads).size < heads.length;
}

function idOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

function keyOf(block: Block): string {
  if (typeof block === "string") return block;
  if ("step" in block) return block.step;
  return "list" in block ? block.list : `${block.name}${block.text}`;
}
