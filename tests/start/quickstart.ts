import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CodeLanguage } from "@/components/docs/code/languages";
import type { Step } from "@/components/docs/guide";
import { guideNamed } from "@/components/docs/guides/all";
import { DEMO_REDIRECT_URI } from "@/server/domain/redirect-uri";
import { openApiDocument } from "@/server/http/openapi/document";
import { runCode } from "@/tests/api/docs/run-code";
import { lasting } from "@/tests/api/docs/same-response";
import { freePort } from "@/tests/fakes/free-port";
import { killAll, type Service, start } from "@/tests/start/service";

/** A notification takes a second; a verification that found nobody listening comes again after 15. */
const SOON = { timeout: 90_000 };
const folder = mkdtempSync(join(tmpdir(), "almanac-quickstart-"));
const ports = new Map<CodeLanguage, number>();
const receivers: ChildProcess[] = [];
let service: Service;
let client: { id: string; secret: string };

/** The page is followed in each of the languages, at a service of its own. */
export function quickstartIn(languages: readonly CodeLanguage[]): void {
  beforeAll(async () => {
    for (const language of languages) ports.set(language, await freePort());
    const origins = [...ports.values()].map((port) => `http://127.0.0.1:${port}`);
    service = await start({ DATA_DIR: join(folder, "data"), CALLBACK_ALLOWED_ORIGINS: origins.join(",") });
    const [, id = "", secret = ""] = /client id\s+(\S+)\s+client secret\s+(\S+)/.exec(service.stdout()) ?? [];
    client = { id, secret };
  }, 600_000);

  afterAll(async () => {
    for (const receiver of receivers) receiver.kill();
    await service?.stop();
    killAll();
    rmSync(folder, { recursive: true, force: true });
  });

  describe.each(languages)("the quickstart in %s", (language) => {
    it("ends in a change whose signature is verified", async () => {
      const steps = stepsOf(language, client.secret);
      const channelAt = steps.findIndex(({ step }) => step === "Create a channel");
      const opened = await runCode(language, together(language, steps.slice(0, channelAt + 1)));
      expect([opened.status, opened.stderr]).toEqual([0, ""]);
      const secret = /^whsec_\S+$/m.exec(opened.stdout)?.[0] ?? "";
      const receiver = await startReceiver(language, secret);

      const rest = await runCode(
        language,
        together(
          language,
          steps.filter((_, at) => at !== channelAt),
        ),
      );
      expect([rest.status, rest.stderr]).toEqual([0, language === "curl" ? expect.any(String) : ""]);
      expect(rest.stdout.match(/^(HTTP\/1\.1 )?202\b/gm)).toHaveLength(3);
      const printed = [...rest.stdout.matchAll(/^(?:\d{3} )?(\{.*\})$/gm)].map(([, body = ""]) => once(lasting(body)));
      const shown = blocks().filter(({ step, response }) => isPrinted.has(step) && response?.language === "json");
      expect(shown.map(({ step }) => step)).toEqual([...isPrinted]);
      for (const { step, response } of shown)
        expect([step, printed]).toEqual([step, expect.arrayContaining([lasting(response?.text ?? "")])]);
      const link = /^http\S+\/oauth\/authorize\?\S+$/m.exec(rest.stdout)?.[0] ?? "";
      expect((await fetch(link)).status).toBe(200);
      expect(rest.stdout).toContain('"error":"invalid_grant"');
      await expect.poll(receiver.output, SOON).toMatch(/^verified .*"type":"change"/m);
      expect(receiver.output()).not.toContain("rejected");

      const forged = { "svc-signature": `t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}` };
      for (const headers of [{}, forged]) {
        const response = await fetch(receiver.url, { method: "POST", body: "{}", headers });
        expect(response.status).toBe(400);
      }
      await expect
        .poll(receiver.output, SOON)
        .toMatch(/rejected: no signature\s+(?:.*\n)*?rejected: signed for another channel/);
    });

    it("stops at a wrong secret", async () => {
      const steps = stepsOf(language, "wrong");
      const ran = await runCode(language, together(language, steps.slice(0, 2)));
      expect(ran.status).not.toBe(0);
      expect(ran.stdout + ran.stderr).toMatch(/401/);
    });
  });
}

/** The blocks of the page in several languages. */
function blocks(): Step[] {
  const { origin } = service;
  const wording = { baseUrl: origin, appUrl: origin, names: "product", offered: [], standIn: null } as const;
  const { sections } = guideNamed("quickstart", openApiDocument({ ...wording, now: Date.now() }));
  return sections.flatMap((section) => section.blocks).flatMap((b) => (typeof b === "object" && "step" in b ? b : []));
}

const START = "Start the receiver";

/** The steps whose response is printed as it is shown; of the others a program prints what the next one needs. */
const isPrinted = new Set([
  "Get the account",
  "Read what changed",
  "List events",
  "List free/busy periods",
  "Send an invalid event",
]);

/** Without what an event of the languages before repeats: all of them use the same calendar. */
function once(body: unknown): unknown {
  if (Array.isArray(body)) return [...new Map(body.map((entry) => [JSON.stringify(entry), entry])).values()];
  if (typeof body !== "object" || body === null) return body;
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, once(value)]));
}

/** Those of a language, with what a reader puts in. */
function stepsOf(language: CodeLanguage, secret: string): { step: string; text: string }[] {
  return blocks()
    .filter(({ step }) => step !== START)
    .map(({ step, codes }) => ({
      step,
      text: (codes[language] ?? "")
        .replace("your-client-id", client.id)
        .replace("your-client-secret", secret)
        .replace("https://app.acme.io/callback", DEMO_REDIRECT_URI)
        .replace("http://127.0.0.1:9999", `http://127.0.0.1:${ports.get(language)}`),
    }));
}

function together(language: CodeLanguage, steps: readonly { text: string }[]): string {
  // A shell stops at the first command that fails, as somebody who pastes does.
  const [start, between] = language === "curl" ? ["set -e\n", "\necho\n"] : ["", "\n"];
  return `${start}${steps.map(({ text }) => text).join(between)}\n`;
}

/** The program that the page has, started as it says. With curl there is none, and the first is shown. */
async function startReceiver(language: CodeLanguage, secret: string) {
  const shown = language === "curl" ? "node" : language;
  const port = ports.get(language) ?? 0;
  const command = blocks().find(({ step }) => step === START)?.codes[shown];
  const [file = ""] = /\S+$/.exec(command ?? "") ?? [];
  const text = readFileSync(join("components/docs/receiver-code", file), "utf8");
  writeFileSync(join(folder, file), text.replace("9999", String(port)));
  const line = (command ?? "").replace("whsec_…", secret).replace("9999", String(port));
  const child = spawn("sh", ["-c", line.replace(/^(\S+) /, "$1 exec ")], { cwd: folder });
  receivers.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  return { output: () => output, url: `http://127.0.0.1:${port}/` };
}
