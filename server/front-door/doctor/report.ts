export type Status = "ok" | "warn" | "fail";

/** One line of the report: what was looked at, and what is wrong and what to do, or what was found. */
export interface Finding {
  check: string;
  status: Status;
  text: string;
}

export const ok = (check: string, text: string): Finding => ({ check, status: "ok", text });
export const warn = (check: string, text: string): Finding => ({ check, status: "warn", text });
export const fail = (check: string, text: string): Finding => ({ check, status: "fail", text });

const CHECK_WIDTH = 22;
const EXIT = { ok: 0, warn: 1, fail: 2 } as const;

/** Returns the exit code: 2 with a failure, 1 with a warning if those count, else 0. */
export function exitCodeOf(findings: readonly Finding[], { isStrict }: { isStrict: boolean }): 0 | 1 | 2 {
  if (count(findings, "fail") > 0) return EXIT.fail;
  return isStrict && count(findings, "warn") > 0 ? EXIT.warn : EXIT.ok;
}

/** Writes a line for each finding, and how many need attention. */
export function reportText(findings: readonly Finding[]): string {
  const lines = findings.map(({ check, status, text }) => `${status.padEnd(5)} ${check.padEnd(CHECK_WIDTH)} ${text}`);
  return `${[...lines, "", `${findings.length} checks: ${tally(findings)}`].join("\n")}\n`;
}

/** Writes the same for programs. */
export function reportJson(findings: readonly Finding[]): string {
  const status = (["fail", "warn"] as const).find((one) => count(findings, one) > 0) ?? "ok";
  return `${JSON.stringify({ status, checks: findings }, null, 2)}\n`;
}

/** Replaces secrets in what others' error messages say. */
export function withoutSecrets(findings: readonly Finding[], secrets: readonly string[]): Finding[] {
  return findings.map((finding) => ({
    ...finding,
    text: secrets.reduce((text, secret) => text.replaceAll(secret, "[redacted]"), finding.text),
  }));
}

function tally(findings: readonly Finding[]): string {
  return (["ok", "warn", "fail"] as const).map((status) => `${count(findings, status)} ${status}`).join(", ");
}

function count(findings: readonly Finding[], status: Status): number {
  return findings.filter((finding) => finding.status === status).length;
}
