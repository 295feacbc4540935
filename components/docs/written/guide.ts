import type { Block, BlockList, Guide } from "@/components/docs/guide";
import { pieces, written } from "@/components/docs/written/parts";

type Lists = Partial<Record<BlockList["list"], string>>;

/** A guide as Markdown; `lists` has what stands for its lists. */
export function writtenGuide({ title, lead, sections }: Guide, lists: Lists): string {
  const parts = sections.flatMap((section) => [
    `## ${section.title}`,
    ...section.blocks.map((block) => blockText(block, lists)),
  ]);
  return pieces(`# ${title}`, lead, ...parts);
}

function blockText(block: Block, lists: Lists): string {
  if (typeof block === "string") return block;
  return "list" in block ? (lists[block.list] ?? "") : written(block);
}
