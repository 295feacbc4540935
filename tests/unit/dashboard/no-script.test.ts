import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { PathnameContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Shell } from "@/components/dashboard/shell/shell";
import { shownTimes } from "@/components/ui/shown-times";

const nowhere = () => undefined;
const router = {
  bfcacheId: "",
  back: nowhere,
  forward: nowhere,
  refresh: nowhere,
  push: nowhere,
  replace: nowhere,
  prefetch: nowhere,
};

/** A page as the server sends it to somebody who is signed in. */
function page(content: string): string {
  const operator = { name: "Grace", email: "grace@acme.io", role: "support" as const, applications: null };
  const props = { operator, theme: "system" as const, times: shownTimes(undefined), children: content };
  const shell = createElement(Shell, props);
  const at = createElement(PathnameContext.Provider, { value: "/dashboard/deliveries" }, shell);
  return renderToStaticMarkup(createElement(AppRouterContext.Provider, { value: router }, at));
}

it("every page of the dashboard says before its content that it needs JavaScript, to whoever has none", () => {
  const [, main = ""] = /<main[^>]*>(.*)<\/main>/s.exec(page("The content")) ?? [];
  const [, told = "", after = ""] = /^<noscript>(.*?)<\/noscript>(.*)$/s.exec(main) ?? [];
  expect(told.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ")).toMatch(
    /JavaScript is off The dashboard needs JavaScript.* Allow it for this site, then reload the page\./,
  );
  expect(after).toBe("The content");
});
