import { describe, expect, it } from "vitest";
import { de } from "@/components/connect/words/de";
import { en } from "@/components/connect/words/en";
import { es } from "@/components/connect/words/es";
import { fr } from "@/components/connect/words/fr";
import { ja } from "@/components/connect/words/ja";
import { diagnosis } from "@/components/dashboard/deliveries/diagnosis";
import { RefusedPage } from "@/components/dashboard/requests/refused-page";
import { PAGE_LIFE_MS } from "@/server/domain/grants";
import { ATTEMPT_DEADLINE_MS } from "@/server/webhooks/attempt";

const numbersOf = (text: string) => text.match(/\d+/g)?.map(Number);
const MINUTE_MS = 60_000;

describe.each(Object.entries({ de, en, es, fr, ja }))("the connect page in %s", (_, words) => {
  it("says how long it works", () => {
    expect(numbersOf(words.stale)).toEqual([PAGE_LIFE_MS / MINUTE_MS]);
  });
});

describe("the dashboard", () => {
  it("says how long an endpoint has to respond", () => {
    const attempt = { status: null, errorClass: "timeout", address: null, responseBody: null } as const;
    const delivery = { state: "failed", endpoint: "https://hooks.acme.io/", attemptRows: [attempt] };
    const sentence = diagnosis(delivery as unknown as Parameters<typeof diagnosis>[0]);
    expect(numbersOf(sentence ?? "")).toEqual([ATTEMPT_DEADLINE_MS / 1_000]);
  });

  it("says how long a connect page works", () => {
    const request = { path: "/oauth/authorize", redirect: null, errorKeys: ["page_expired"] };
    const fact = RefusedPage({ request: request as unknown as Parameters<typeof RefusedPage>[0]["request"] });
    expect(numbersOf(JSON.stringify(fact?.props.children))).toEqual([PAGE_LIFE_MS / MINUTE_MS]);
  });
});
