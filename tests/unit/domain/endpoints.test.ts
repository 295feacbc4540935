import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { endpointOf, endpoints, endpointsUnder, idInPath } from "@/server/domain/endpoints";

const app = resolve(import.meta.dirname, "../../../app");

describe("the routes that the request log names", () => {
  it("are those that the API has", () => {
    const routes = ["v1", "oauth", "mcp"].flatMap((folder) =>
      readdirSync(resolve(app, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith("route.ts") && !file.includes("[[...") && !file.startsWith("callback/"))
        .map((file) => `/${folder}/${file}`.replace(/\/route\.ts$/, "").replace(/\[(\w+)\]/g, "{$1}")),
    );
    // Next has one name for a segment, whatever it is of in the route.
    const unnamed = (paths: readonly string[]) => paths.map((path) => path.replace(/\{\w+\}/g, "{}")).sort();
    expect(unnamed(endpoints)).toEqual(unnamed(routes));
  });

  it.each([
    ["/v1/account", "/v1/account"],
    ["/v1/account/", "/v1/account"],
    ["/v1/calendars/cal_1/events", "/v1/calendars/{calendar_id}/events"],
    ["/v1/calendars/cal_1/events/occurrences", "/v1/calendars/{calendar_id}/events/occurrences"],
    ["/v1/channels/chn_1", "/v1/channels/{channel_id}"],
    ["/v1/channels/chn_1/more", null],
    ["/v1/nothing", null],
    ["[redacted]", null],
    ["/", null],
  ])("%s is %s", (path, endpoint) => {
    expect(endpointOf(path)).toBe(endpoint);
  });

  it("the beginning of a path stands for the routes below it", () => {
    expect(endpointsUnder("/v1/calendars/cal_1")).toEqual([
      "/v1/calendars/{calendar_id}/events",
      "/v1/calendars/{calendar_id}/events/occurrences",
      "/v1/calendars/{calendar_id}/events/{event_id}/receipt",
      "/v1/calendars/{calendar_id}/events/{event_uid}/participation_status",
      "/v1/calendars/{calendar_id}/feeds",
      "/v1/calendars/{calendar_id}/feeds/{feed_id}",
    ]);
    expect(endpointsUnder("/v1/calendars")).toHaveLength(7);
    expect(endpointsUnder("/v1/calendars/cal_1/other")).toEqual([]);
  });

  it("the id in a path is found, whole or not", () => {
    expect(idInPath("/v1/calendars/cal_1/events")).toBe("cal_1");
    expect(idInPath("/v1/channels/chn_1")).toBe("chn_1");
    expect(idInPath("/v1/calendars")).toBeNull();
    expect(idInPath("/v1/nothing/cal_1")).toBeNull();
  });
});
