import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CodeLanguage, codeLanguages, inEveryLanguage } from "@/components/docs/code/languages";
import type { CodeRequest } from "@/components/docs/code/request";
import { examplesOf } from "@/components/docs/examples";
import { operations } from "@/components/docs/operations";
import { openApiDocument } from "@/server/http/openapi/document";
import { isOpenToAll } from "@/server/http/openapi/document-shape";
import { scenario } from "@/server/http/openapi/examples/scenario";
import { exampleRequest } from "../openapi/example-request";
import { runCode } from "./run-code";

interface Received {
  method: string;
  path: string;
  query: [string, string][];
  authorization: string | undefined;
  body: unknown;
}

const BODY = '{"calendars":[{"calendar_id":"cal_1"}]}';
let origin: string;
const received: Received[] = [];
/** Refuses what asks for it, as a service would, and keeps what it got. */
const server = createServer(async (req, res) => {
  received.push(await whatCame(req));
  const status = Number(new URL(req.url ?? "", "http://x").searchParams.get("answer") ?? 200);
  res.writeHead(status, { "content-type": "application/json" }).end(status === 401 ? "" : BODY);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

async function whatCame(req: IncomingMessage): Promise<Received> {
  const url = new URL(req.url ?? "", "http://x");
  const body = await text(req);
  const isJson = req.headers["content-type"] === "application/json";
  return {
    method: req.method ?? "",
    path: url.pathname,
    query: [...url.searchParams],
    authorization: req.headers.authorization,
    body: isJson ? JSON.parse(body) : body === "" ? null : Object.fromEntries(new URLSearchParams(body)),
  };
}

/** One program of several that each run alone. */
function together(language: CodeLanguage, programs: readonly string[]): string {
  if (language === "node") return programs.map((program) => `{\n${program}\n}`).join("\n");
  if (language === "php") return `<?php\n${programs.map((program) => program.replace("<?php", "")).join("\n")}`;
  return programs.join("\n");
}

describe.each(codeLanguages.map(({ id }) => id))("the code of the reference in %s", (language) => {
  it("sends every example as the document has it, and shows the response", async () => {
    const wording = { baseUrl: origin, appUrl: origin, names: "product", offered: [], standIn: null } as const;
    const document = openApiDocument({ ...wording, now: Date.now() });
    const shown = operations(document).flatMap((located) =>
      examplesOf(located, {}).map((example) => ({ ...example, located })),
    );
    const sent = shown.filter(({ variants }) => variants.length > 0);
    const own = scenario.filter(({ operation }) => operation !== "authorize");
    expect(sent.map(({ name }) => name).sort()).toEqual(own.map(({ name }) => name).sort());
    received.length = 0;
    const code = sent.map(({ variants }) => variants.find(({ id }) => id === language)?.text ?? "");
    const ran = await runCode(language, together(language, code), {
      TOKEN: "a-token",
      CLIENT_ID: "an-id",
      CLIENT_SECRET: "a-secret",
    });
    expect([ran.status, language === "curl" ? "" : ran.stderr]).toEqual([0, ""]);
    expect(ran.stdout.match(/"cal_1"/g)).toHaveLength(sent.length);
    expect(received).toHaveLength(sent.length);
    for (const [index, { name, located }] of sent.entries()) {
      const { method, path, body } = exampleRequest(document, located.operation.operationId, name);
      const url = new URL(path, "http://x");
      const isOpen = isOpenToAll(located.operation);
      const isBasic = own.some(
        (one) => one.operation === located.operation.operationId && one.name === name && one.as === "application",
      );
      expect({ name, ...received[index] }).toEqual({
        name,
        method,
        path: url.pathname,
        query: [...url.searchParams],
        authorization: isOpen ? undefined : isBasic ? `Basic ${btoa("an-id:a-secret")}` : "Bearer a-token",
        body: body ?? null,
      });
    }
  });

  it("sends any text as it is", async () => {
    const texts = [
      "'",
      '"',
      "\\",
      "\\n",
      "\n\t",
      "$x $".concat("{x} $(x) `x` #{x} #$x {x} %s {$x}"),
      "é ß 日本 🎉",
      "</script>",
      "a&b=c d+e%20",
    ];
    const json = { texts, deep: { nothing: null, yes: true, no: false, number: -1.5, empty: {}, none: [] } };
    const requests: CodeRequest[] = [
      { method: "POST", url: `${origin}/json`, json },
      {
        method: "POST",
        url: `${origin}/form`,
        form: Object.fromEntries(texts.map((each, index) => [`k${index}`, each])),
      },
      { method: "GET", url: `${origin}/query`, query: texts.map((each) => ["of[]", each] as const) },
      { method: "GET", url: `${origin}/{PLACE}s`, query: [["at", "{PLACE}T{PLACE}"]] },
      { method: "DELETE", url: `${origin}/{PLACE}`, token: true, json: { at: "{PLACE}T{PLACE}", place: "{PLACE}" } },
    ];
    received.length = 0;
    const code = requests.map((request) => inEveryLanguage(request)[language]);
    const ran = await runCode(language, together(language, code), { PLACE: "here", TOKEN: "a-token" });
    expect([ran.status, language === "curl" ? "" : ran.stderr]).toEqual([0, ""]);
    expect(received.map(({ body, query, path }) => [path, body, query])).toEqual([
      ["/json", json, []],
      ["/form", requests[1]?.form, []],
      ["/query", null, texts.map((each) => ["of[]", each])],
      ["/heres", null, [["at", "hereThere"]]],
      ["/here", { at: "hereThere", place: "here" }, []],
    ]);
    expect(received[4]?.authorization).toBe("Bearer a-token");
  });

  it("shows an error where one is expected", async () => {
    const url = `${origin}/x?answer=422`;
    const refused = await runCode(
      language,
      inEveryLanguage({ method: "POST", url, json: {}, isError: true })[language],
    );
    expect(refused.status).toBe(0);
    expect(refused.stdout).toContain("cal_1");
  });
});
