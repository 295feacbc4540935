import type { InEveryLanguage } from "@/components/docs/code/languages";
import { pythonImports } from "@/components/docs/code/python";
import { camelCase, snakeCase } from "@/components/docs/code/request";
import { rubyRequires } from "@/components/docs/code/ruby";

/** How a program in pieces begins: what it needs, and the variables that its pieces insert. */
export function setting(values: Readonly<Record<string, string>>): InEveryLanguage {
  const entries = Object.entries(values);
  const each = (line: (name: string, value: string) => string) => entries.map(([name, value]) => line(name, value));
  return {
    curl: each((name, value) => `${name}=${value}`).join("\n"),
    node: each((name, value) => `const ${camelCase(name)} = ${JSON.stringify(value)};`).join("\n"),
    python: [...pythonImports, "", ...each((name, value) => `${snakeCase(name)} = ${JSON.stringify(value)}`)].join(
      "\n",
    ),
    ruby: [...rubyRequires, "", ...each((name, value) => `${snakeCase(name)} = ${JSON.stringify(value)}`)].join("\n"),
    php: ["<?php", "", ...each((name, value) => `$${snakeCase(name)} = ${JSON.stringify(value)};`)].join("\n"),
  };
}

/** Today in UTC, as the variable DAY. */
export const today: InEveryLanguage = {
  curl: "DAY=$(date -u +%Y-%m-%d)",
  node: "const day = new Date().toISOString().slice(0, 10);",
  python: `from datetime import datetime, timezone\n\nday = datetime.now(timezone.utc).strftime("%Y-%m-%d")`,
  ruby: `day = Time.now.utc.strftime("%F")`,
  php: `$day = gmdate("Y-m-d");`,
};

/** One piece before another. */
export function inOrder(...pieces: readonly InEveryLanguage[]): InEveryLanguage {
  const all = (language: keyof InEveryLanguage) => pieces.map((piece) => piece[language]).join("\n");
  const php = all("php");
  const opened = php.includes("<?php") ? `<?php\n\n${php.replace(/<\?php\n+/, "")}` : php;
  return { curl: all("curl"), node: all("node"), python: all("python"), ruby: all("ruby"), php: opened };
}
