import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Message } from "@/components/dashboard/requests/message";

it("a request's headers are shown without those that browsers and Next add", () => {
  const added = ["sec-fetch-site", "x-forwarded-for", "x-forwarded-host", "x-forwarded-port", "x-forwarded-proto"];
  const headers = Object.fromEntries([...added, "x-forwarded-by", "user-agent"].map((name) => [name, "a value"]));
  const text = renderToStaticMarkup(createElement(Message, { name: "Request", headers, body: null }));
  for (const name of added) expect(text).not.toContain(name);
  expect(text).toContain("x-forwarded-by");
  expect(text).toContain("user-agent");
});
