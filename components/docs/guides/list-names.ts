import type { BlockList } from "@/components/docs/guide";

const names: Record<BlockList["list"], true> = {
  "webhook code": true,
  "receiver code": true,
  "error keys": true,
  rates: true,
  sizes: true,
};

/** Checks that a name is that of a list that a guide's page renders itself. */
export function isListName(name: string): name is BlockList["list"] {
  return Object.hasOwn(names, name);
}
