import { expect, it } from "vitest";
import {
  dashboardPolicy,
  docsPolicy,
  editorPolicy,
  formPagePolicy,
  framedPagePolicy,
  nonceOf,
  plainPagePolicy,
} from "@/server/domain/net/content-security-policy";

const policies = {
  plain: plainPagePolicy(),
  framed: framedPagePolicy(),
  form: formPagePolicy("https:", "YQ=="),
  docs: docsPolicy(["YQ=="]),
  dashboard: dashboardPolicy({ nonce: "bg==", isDev: false, formEnds: ["https://id.example"] }),
  editor: editorPolicy("bg=="),
};

it.each(Object.entries(policies))("the policy of a page that is %s allows only what it names", (_, policy) => {
  expect(policy).toMatch(/^default-src 'none'; /);
  expect(policy).toContain("; base-uri 'none'; frame-ancestors '");
  expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|\*/);
});

it("only a page that is framed may be framed, and only by ours", () => {
  const framed = Object.entries(policies).filter(([, policy]) => !policy.includes("frame-ancestors 'none'"));
  expect(framed).toEqual([["framed", policies.framed]]);
  expect(policies.framed).toContain("frame-ancestors 'self'; form-action 'none'");
});

it("forms end at this origin, and where they are said to", () => {
  expect(policies.plain).toMatch(/; form-action 'self'$/);
  expect(plainPagePolicy("https:")).toMatch(/; form-action 'self' https:$/);
  expect(policies.form).toMatch(/; form-action 'self' https:$/);
  expect(policies.dashboard).toMatch(/; form-action 'self' https:\/\/id\.example$/);
  expect(policies.docs).toMatch(/; form-action 'none'$/);
});

it("scripts run that carry the nonce or have the digest", () => {
  expect(policies.dashboard).toContain("script-src 'nonce-bg==' 'strict-dynamic'; style-src 'self' 'nonce-bg=='");
  expect(policies.editor).toContain("font-src 'self' data:;");
  expect(policies.editor).toContain("script-src 'nonce-bg=='; worker-src blob:");
  expect(policies.docs).toContain("script-src 'self' 'sha256-YQ=='");
  expect(policies.form).toContain("script-src 'sha256-YQ=='; base-uri");
  expect(policies.plain).not.toContain("script-src");
  expect([nonceOf(policies.dashboard), nonceOf(policies.plain), nonceOf(null)]).toEqual(["bg==", null, null]);
});

it("development may do what Next's reloading does", () => {
  const policy = dashboardPolicy({ nonce: "bg==", isDev: true, formEnds: [] });
  expect(policy).toContain("'unsafe-eval'");
  expect(policy).toContain("connect-src 'self' ws:");
});
