import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { NotStored } from "@/components/dashboard/requests/not-stored";

const shown = (readShare: number, count?: number) =>
  renderToStaticMarkup(createElement(NotStored, { readShare, count })).replace(/<[^>]+>/g, "");

it("the list of requests says which share of successful reads it has, also where it is filtered", () => {
  expect([shown(1), shown(1, 0)]).toEqual(["", ""]);
  expect(shown(0.1)).toBe(
    "Of successful reads, 10% are stored, chosen at random. The rest are only counted. Writes, errors and reads of more than 1 s are always stored.",
  );
  expect(shown(0.0025)).toMatch(/^Of successful reads, 0\.25% are stored/);
  expect(shown(0)).toMatch(/^Successful reads are counted, but not stored\. Writes, errors/);
  expect(shown(0.1, 1)).toMatch(/are always stored\. 1 request in the last 24 hours was counted but not stored\. /);
  expect(shown(1, 2)).toMatch(/^2 requests in the last 24 hours were counted/);
});
