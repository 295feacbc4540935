import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The first blocks of the clients' READMEs, which tests/start runs. */
const shown = {
  typescript: {
    readme: "README.md",
    samples: [
      { name: "Install", language: "shell", block: /```sh\n(.*?)\n```/s },
      { name: "almanac.mjs", language: "javascript", block: /```js\n\/\/ almanac\.mjs\n(.*?)\n```/s },
      { name: "first-event.mjs", language: "javascript", block: /```js\n\/\/ first-event\.mjs\n(.*?)\n```/s },
      { name: "Output with Node", language: "text", block: /\/\/ first-event\.mjs\n.*?```text\n(.*?)\n```/s },
    ],
  },
  python: {
    readme: "python/README.md",
    samples: [
      { name: "first_event.py", language: "python", block: /```python\n# first_event\.py\n(.*?)\n```/s },
      { name: "Output with Python", language: "text", block: /# first_event\.py\n.*?```text\n(.*?)\n```/s },
    ],
  },
} as const;

/** Reads the code with which the README of a client begins. */
export async function clientCode(client: keyof typeof shown) {
  const { readme, samples } = shown[client];
  const text = await readFile(join("sdk", readme), "utf8");
  return samples.map(({ block, ...sample }) => {
    const code = block.exec(text)?.[1];
    if (code === undefined) throw new Error(`sdk/${readme} has no ${sample.name}`);
    return { ...sample, text: code };
  });
}
