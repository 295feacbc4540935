import { readFileSync } from "node:fs";

export interface StartScript {
  variables: Record<string, string>;
  /** Of Node. */
  parameters: string[];
}

/** What the start script of package.json gives to Node. */
export function startScript(): StartScript {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const words = String(scripts.start).split(" ");
  const node = words.indexOf("node");
  const variables = words.slice(0, node).map((word) => word.split("="));
  if (node < 0 || variables.some((pair) => pair.length !== 2)) {
    throw new Error(`npm start is not Node alone: ${scripts.start}`);
  }
  return { variables: Object.fromEntries(variables), parameters: words.slice(node + 1) };
}
