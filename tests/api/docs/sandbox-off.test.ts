import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { GET as open } from "@/app/docs/[[...page]]/route";
import { GET as llms } from "@/app/llms.txt/route";
import { GET as llmsFull } from "@/app/llms-full.txt/route";
import { type CodeLanguage, codeLanguages } from "@/components/docs/code/languages";
import { guides } from "@/components/docs/guides/all";
import { docsPages } from "@/components/docs/pages";
import { env, provideEnv } from "@/server/env";
import { compileDocs } from "@/server/front-door/docs-files.mjs";
import { servedDocument } from "@/server/http/openapi/served";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import { ownReceiver } from "../own-receiver";
import { address, call, newApplication } from "../service";
import { work } from "../webhooks/world";
import { runCode } from "./run-code";
import { lasting } from "./same-response";

const receiver = ownReceiver({ LOG_LEVEL: "fatal" });
const { BASE_URL } = env();
let clock: FakeClock;
beforeEach(() => {
  clock = fakeClock();
});
beforeAll(async () => {
  await compileDocs(process.cwd());
  provideEnv({ SANDBOX: "off", BASE_URL: await address() });
});
afterAll(() => provideEnv({ SANDBOX: "on", BASE_URL }));

const request = (path: string) => new Request(`http://almanac.test${path}`);
const pageOf = async (path: string) => {
  const response = await open(request(path), { params: Promise.resolve({ page: path.split("/").slice(2) }) });
  return await response.text();
};
const OFF = "The sandbox is off on this service";

describe("the documentation of a service that has switched the sandbox off", () => {
  it("says so where the sandbox is described, as a page, as Markdown and to programs", async () => {
    const texts = await Promise.all([
      ...["/docs/sandbox", "/docs/sandbox.md", "/docs/reference/changeInSandbox.md"].map(pageOf),
      ...[llms(request("/llms.txt")), llmsFull(request("/llms-full.txt"))].map(async (one) => (await one).text()),
    ]);
    for (const text of texts) expect(text).toContain(OFF);
    const { info } = (await call("GET", "/openapi.json")).json;
    expect(info.description).toContain(OFF);
    expect(await pageOf("/docs/sandbox.md")).not.toContain("## Try it");
    expect(await pageOf("/docs/sandbox")).toContain("/docs/webhooks#local");
  });

  it("offers a test event in the quickstart, and only on its own pages a request that gets a 404", async () => {
    for (const text of [await pageOf("/docs/quickstart"), await pageOf("/docs/quickstart.md")]) {
      expect(text).toContain("is off on this service");
      expect(text).toContain("/test");
    }
    const texts = docsPages(servedDocument()).map(async ({ path, markdown }) => ({ path, text: await markdown() }));
    const asking = (await Promise.all(texts)).filter(({ text }) => /curl [^\n]*\/v1\/sandbox\/changes/.test(text));
    expect(asking.map(({ path }) => path)).toEqual(["/docs/sandbox", "/docs/reference/changeInSandbox"]);
  });

  it("has the sandbox back when it is on again", async () => {
    provideEnv({ SANDBOX: "on" });
    try {
      expect(await pageOf("/docs/sandbox.md")).not.toContain(OFF);
      expect(await pageOf("/docs/quickstart")).toContain("/v1/sandbox/changes");
    } finally {
      provideEnv({ SANDBOX: "off" });
    }
  });
});

describe.each(codeLanguages.map(({ id }) => id))("its quickstart in %s", (language) => {
  it("ends in a change, and in what its pages show", async () => {
    const application = await newApplication();
    const steps = stepsOf(language).map(({ text, ...step }) => ({
      ...step,
      text: text
        .replace("your-client-id", application.clientId)
        .replace("your-client-secret", application.clientSecret)
        .replace("http://127.0.0.1:9999", receiver.origin),
    }));
    const before = receiver.got.length;
    const ran = await runCode(language, together(language, steps));
    expect([ran.status, ran.stderr]).toEqual([0, language === "curl" ? expect.any(String) : ""]);
    clock.advance(2_000);
    await work();
    const got = receiver.got.slice(before).map(({ json }) => json.notification.type);
    expect(got.sort()).toEqual(["change", "verification"]);
    const printed = [...ran.stdout.matchAll(/^(?:\d{3} )?(\{.*\})$/gm)].map(([, body = ""]) => lasting(body));
    for (const { step, response } of steps) {
      if (["Read what changed", "List events", "List free/busy periods"].includes(step))
        expect([step, printed]).toEqual([step, expect.arrayContaining([lasting(response)])]);
    }
  });
});

function stepsOf(language: CodeLanguage): { step: string; text: string; response: string }[] {
  const [first] = guides(servedDocument());
  const blocks = first?.sections.flatMap((section) => section.blocks) ?? [];
  return blocks.flatMap((block) => {
    if (typeof block === "string" || !("step" in block) || block.step === "Start the receiver") return [];
    return { step: block.step, text: block.codes[language] ?? "", response: block.response?.text ?? "" };
  });
}

function together(language: CodeLanguage, steps: readonly { text: string }[]): string {
  const [start, between] = language === "curl" ? ["set -e\n", "\necho\n"] : ["", "\n"];
  return `${start}${steps.map(({ text }) => text).join(between)}\n`;
}
