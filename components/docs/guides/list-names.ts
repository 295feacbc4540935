import type { BlockList } from "@/components/docs/guide";

const names: Record<BlockList["list"], true> = {
  "webhook code": true,
  "receiver code": true,
  "error keys": true,
  rates: true,
  sizes: true,
};

/** Says whether it is the name of a list that a guide's page draws in its own way. */
export function isListName(name: string): name is BlockList["list"] {
  return Object.hasOwn(names, name);
}
