import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { CodeLanguage } from "@/components/docs/code/languages";
import { findLanguage } from "./languages.mjs";

const programs: Record<CodeLanguage, { program: string; file: string }> = {
  curl: { program: "bash", file: "code.sh" },
  node: { program: "node", file: "code.mjs" },
  python: { program: "python3", file: "code.py" },
  ruby: { program: "ruby", file: "code.rb" },
  php: { program: "php", file: "code.php" },
};

export interface Ran {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs a program of the documentation as somebody would who has put it into a file. */
export async function runCode(language: CodeLanguage, text: string, env: Record<string, string> = {}): Promise<Ran> {
  const { program, file } = programs[language];
  const path = findLanguage(program);
  if (!path) throw new Error(`${program} is missing, so its code cannot be run: install it, then run the tests again`);
  const folder = await mkdtemp(join(tmpdir(), "almanac-code-"));
  try {
    await writeFile(join(folder, file), text);
    const options = { env: { ...process.env, LANG: "C.UTF-8", ...env }, cwd: folder };
    const args = program === "bash" ? ["-eu", file] : [file];
    const { stdout, stderr } = await promisify(execFile)(path, args, options);
    return { status: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: number; stdout?: string; stderr?: string };
    if (typeof code !== "number") throw error;
    return { status: code, stdout: stdout ?? "", stderr: stderr ?? "" };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
