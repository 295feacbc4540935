import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { docsPages } from "@/components/docs/pages";
import { Rates } from "@/components/docs/rates";
import { provideEnv } from "@/server/env";
import { servedDocument } from "@/server/http/openapi/served";
import { ACCOUNT, APPLICATION, type Bucket, decide } from "@/server/http/rate-limit/buckets";

const SECOND = 1_000_000;

/** What a full bucket really lets through: at once, and in the seconds after that. */
function measured(bucket: Bucket): { burst: number; perSecond: number } {
  let debt = 0;
  const takeAll = () => {
    let taken = 0;
    while (decide([bucket], [debt]).allowed) {
      debt += bucket.interval;
      taken += 1;
    }
    return taken;
  };
  const burst = takeAll();
  debt -= 10 * SECOND;
  return { burst, perSecond: takeAll() / 10 };
}

const rowsOf = (html: string) =>
  [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) =>
      cell.replace(/<[^>]*>/g, "").replace("&#x27;", "'"),
    ),
  );

describe("the rates in the documentation", () => {
  it("are those that the limiter lets through, in the table and in the introduction", async () => {
    provideEnv({ BASE_URL: "https://api.almanac.test", APP_URL: "https://app.almanac.test" });
    const limits = docsPages(servedDocument()).find(({ path }) => path === "/docs/limits");
    const html = renderToStaticMarkup(await limits?.content());
    const [application, account] = [measured(APPLICATION), measured(ACCOUNT)];
    expect(rowsOf(html)).toEqual(
      expect.arrayContaining([
        ["Application", `${application.burst} requests`, `${application.perSecond} per second`],
        ["Account", `${account.burst} requests`, `${account.perSecond} per second`],
      ]),
    );
    const text = html.replace(/<[^>]*>/g, "").replaceAll("&#x27;", "'");
    expect(text).toContain(
      `bursts of ${application.burst} requests and ${application.perSecond} requests per second sustained; each account, bursts of ${account.burst} and ${account.perSecond} per second`,
    );
  });

  it("follow the buckets", () => {
    const html = renderToStaticMarkup(
      createElement(Rates, {
        application: { ...APPLICATION, burst: 1_200, interval: SECOND / 40 },
        account: { ...ACCOUNT, burst: 7 },
      }),
    );
    expect(rowsOf(html).slice(1)).toEqual([
      ["Application", "1,200 requests", "40 per second"],
      ["Account", "7 requests", "25 per second"],
    ]);
  });
});
