import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { PageFault } from "@/components/dashboard/page-fault";

const pageOf = (digest: string) => renderToStaticMarkup(createElement(PageFault, { digest, onRetry: () => {} }));

it("a page that had to wait for too long says for how long to wait, and any other what the log has of it", () => {
  expect(pageOf("busy;5")).toContain("This page tries again in 5 seconds.");
  expect(pageOf("busy;1")).toContain("in 1 second.");
  expect(pageOf("busy;5")).not.toContain("internal error");
  expect(pageOf("2846284628")).toContain("2846284628");
});
