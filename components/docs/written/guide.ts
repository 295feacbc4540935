import { codeLanguages } from "@/components/docs/code/languages";
import type { Block, BlockList, Guide, Step } from "@/components/docs/guide";
import { pieces, written } from "@/components/docs/written/parts";

type Lists = Partial<Record<BlockList["list"], string>>;

/** Writes a guide as Markdown. `lists` has the text of its lists. */
export function writtenGuide({ title, lead, sections }: Guide, lists: Lists): string {
  const parts = sections.flatMap((section) => [
    section.title && `## ${section.title}`,
    ...section.blocks.map((block) => blockText(block, lists)),
  ]);
  return pieces(`# ${title}`, lead, ...parts);
}

function blockText(block: Block, lists: Lists): string {
  if (typeof block === "string") return block;
  if ("list" in block) return lists[block.list] ?? "";
  return "step" in block ? stepText(block) : written(block);
}

/** Writes a step in curl, which needs nothing else, or in every language if there is no curl for it. */
function stepText({ step, codes, response }: Step): string {
  const { curl } = codes;
  const samples =
    curl === undefined
      ? codeLanguages.flatMap(({ id, title, language }) => {
          const text = codes[id];
          return text === undefined ? [] : [{ name: `${step}: ${title}`, language, text }];
        })
      : [{ name: step, language: "shell" as const, text: curl }];
  return pieces(...samples.map(written), response && written(response));
}
