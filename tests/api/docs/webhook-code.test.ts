import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { signedHeaders } from "@/server/webhooks/sign";
import { findLanguage } from "./languages.mjs";

/** What the documentation's code is given; it answers whether Almanac sent it. */
interface Delivery {
  body: string;
  signature: string;
  signingSecret: string;
}

const code = (name: string) => resolve("components/docs/webhook-code", name);
const folder = mkdtempSync(join(tmpdir(), "almanac-webhook-code-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const body = JSON.stringify({
  notification: { type: "change", changes_since: "2026-11-21T09:30:00Z" },
  channel: { channel_id: "chn_1", callback_url: "https://app.acme.io/jours-fériés", filters: {} },
});
const signing = {
  deliveryId: "whd_1",
  attempt: 1,
  body,
  clientSecrets: ["the-client-secret"],
  channelSecret: "whsec_the-channel",
  compatibilityMode: false,
};

function delivery(change: Partial<typeof signing> = {}, ageSeconds = 0): Delivery {
  const headers = signedHeaders({ ...signing, ...change, now: Date.now() - ageSeconds * 1000 });
  const signature = headers["svc-signature"] ?? "";
  return { body, signature, signingSecret: signing.channelSecret };
}

/** Signed when they are asked for: what is to be told of them depends on their age. */
function cases(): [string, boolean, Delivery][] {
  const good = delivery();
  return [
    ["a delivery as it was sent", true, good],
    ["one that took four minutes", true, delivery({}, 240)],
    ["one while client secrets are rotated", true, delivery({ clientSecrets: ["retiring", "its-successor"] })],
    ["an empty body", true, { ...delivery({ body: "" }), body: "" }],
    ["a changed body", false, { ...good, body: body.replace("09:30", "09:31") }],
    ["a body laid out again", false, { ...good, body: JSON.stringify(JSON.parse(body), null, 2) }],
    ["another channel's secret", false, delivery({ channelSecret: "whsec_other" })],
    ["a time six minutes ago", false, delivery({}, 360)],
    ["a time six minutes ahead", false, delivery({}, -360)],
    ["a time that was not signed", false, { ...good, signature: good.signature.replace(/t=\d+/, `t=${nextSecond()}`) }],
    ["no signature", false, { ...good, signature: "" }],
    ["a signature cut short", false, { ...good, signature: good.signature.slice(0, -1) }],
    [
      "a signature in another case",
      false,
      { ...good, signature: good.signature.replace(/[0-9a-f]{64}$/, (hex) => hex.toUpperCase()) },
    ],
    ["characters that no header should have", false, { ...good, signature: "t=é,v1=é" }],
  ];
}

/** Each is made ready first, which may take a while. */
const languages: Record<string, () => (deliveries: Delivery[]) => boolean[]> = {
  Node: () =>
    answers(process.execPath, [
      "--input-type=module",
      "-e",
      `import { verify } from ${JSON.stringify(code("node.mjs"))}; import { readFileSync } from "node:fs";
      const all = JSON.parse(readFileSync(0, "utf8"));
      console.log(JSON.stringify(all.map((each) => verify({ ...each, body: Buffer.from(each.body) }))));`,
    ]),
  Python: () =>
    answers(program("python3"), [
      "-c",
      `import json, runpy, sys
verify = runpy.run_path(${JSON.stringify(code("python.py"))})["verify"]
print(json.dumps([verify(body=e["body"].encode(), signature=e["signature"],
  signing_secret=e["signingSecret"]) for e in json.load(sys.stdin)]))`,
    ]),
  Ruby: () =>
    answers(program("ruby"), [
      "-rjson",
      "-e",
      `require ${JSON.stringify(code("ruby.rb"))}
puts JSON.generate(JSON.parse($stdin.read.force_encoding("UTF-8")).map { |e| verify(body: e["body"], signature: e["signature"],
  signing_secret: e["signingSecret"]) })`,
    ]),
  PHP: () =>
    answers(program("php"), [
      "-r",
      `require ${JSON.stringify(code("php.php"))};
echo json_encode(array_map(fn ($e) => verify($e["body"], $e["signature"], $e["signingSecret"]),
  json_decode(file_get_contents("php://stdin"), true)));`,
    ]),
  Go: () => answers(builtGo(), []),
};

for (const [language, prepare] of Object.entries(languages)) {
  describe(`the documentation's ${language} code`, () => {
    it("accepts what Almanac sends and refuses everything else", () => {
      const run = prepare();
      const given = cases();
      const told = run(given.map(([, , each]) => each));
      const wrong = given.filter(([, isGood], index) => told[index] !== isGood).map(([name]) => name);
      expect(told).toHaveLength(given.length);
      expect(wrong).toEqual([]);
    }, 120_000);
  });
}

function nextSecond(): number {
  return Math.floor(Date.now() / 1000) + 7;
}

function program(name: string): string {
  const path = findLanguage(name);
  if (!path)
    throw new Error(`${name} is missing, so its code cannot be verified: install it, then run the tests again`);
  return path;
}

function answers(command: string, args: string[]): (deliveries: Delivery[]) => boolean[] {
  return (deliveries) => {
    const { status, stdout, stderr } = spawnSync(command, args, {
      input: JSON.stringify(deliveries),
      encoding: "utf8",
      env: { ...process.env, LANG: "C.UTF-8" },
    });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
}

/** One build, with nothing fetched. */
function builtGo(): string {
  const go = program("go");
  writeFileSync(join(folder, "go.mod"), "module acme.io/webhooks\n\ngo 1.19\n");
  writeFileSync(join(folder, "asking.go"), asking);
  const shown = readFileSync(code("go.go"), "utf8");
  writeFileSync(join(folder, "verify.go"), shown.replace("package webhooks", "package main"));
  const { status, stderr } = spawnSync(go, ["build", "-o", "verify", "."], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, GOFLAGS: "-mod=mod", GOPROXY: "off", CGO_ENABLED: "0" },
  });
  if (status !== 0) throw new Error(stderr);
  return join(folder, "verify");
}

const asking = `package main

import ("encoding/json"; "os")

func main() {
	var all []struct{ Body, Signature, SigningSecret string }
	if err := json.NewDecoder(os.Stdin).Decode(&all); err != nil { panic(err) }
	told := []bool{}
	for _, e := range all { told = append(told, Verify([]byte(e.Body), e.Signature, e.SigningSecret)) }
	json.NewEncoder(os.Stdout).Encode(told)
}
`;
