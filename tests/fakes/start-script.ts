import { readFileSync } from "node:fs";
import { variableNames } from "@/server/env";

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

/** The environment of a process that starts as `npm start` does, at the given port of the loopback. The variables of a developer's .env are empty in it, not absent. */
export function startEnvironment(PORT: string): NodeJS.ProcessEnv {
  const unset = Object.fromEntries(variableNames.map((name) => [name, ""]));
  const { PATH } = process.env;
  return { ...startScript().variables, NODE_ENV: "production", PATH, ...unset, PORT, HOST: "127.0.0.1" };
}
