import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take far longer than the others of their project, the longest first. */
export const long = [
  "tests/start/kill-9.test.ts",
  "tests/start/tracing.test.ts",
  "tests/start/key-rotation.test.ts",
  "tests/start/webhooks.test.ts",
  "tests/start/start.test.ts",
  "tests/sync/contract/writes-lost.test.ts",
  "tests/sync/contract/writes-caldav.test.ts",
  "tests/sync/microsoft-kills.test.ts",
  "tests/sync/google-kills.test.ts",
];

/**
 * On a fresh machine Vitest knows no durations, and begins with the largest files. A long one that begins last keeps one core busy while
 * the other waits.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(await super.sort(files));
  }
}

export function longestFirst<File extends { moduleId: string }>(files: File[]): File[] {
  const rank = ({ moduleId }: File) => {
    const at = long.findIndex((file) => moduleId.endsWith(file));
    return at === -1 ? long.length : at;
  };
  return files.toSorted((a, b) => rank(a) - rank(b));
}
