import { expect, it } from "vitest";
import { deviceOf } from "@/server/domain/device";

const mozilla = "Mozilla/5.0";
const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";

it.each([
  [`${mozilla} (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0`, "Firefox on Windows"],
  [`${mozilla} (Macintosh; Intel Mac OS X 10_15_7) ${chrome}`, "Chrome on macOS"],
  [`${mozilla} (Windows NT 10.0; Win64; x64) ${chrome} Edg/141.0.0.0`, "Edge on Windows"],
  [`${mozilla} (X11; Linux x86_64) ${chrome} OPR/120.0.0.0`, "Opera on Linux"],
  [`${mozilla} (X11; CrOS x86_64 14541.0.0) ${chrome}`, "Chrome on ChromeOS"],
  [`${mozilla} (Linux; Android 10; K) ${chrome.replace("Safari", "Mobile Safari")}`, "Chrome on Android"],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`,
    "Safari on macOS",
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1`,
    "Safari on iPhone",
  ],
  [
    `${mozilla} (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/141.0 Mobile/15E148 Safari/604.1`,
    "Chrome on iPad",
  ],
  ["curl/8.5.0", null],
  ["", null],
])("%s is %s", (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});
