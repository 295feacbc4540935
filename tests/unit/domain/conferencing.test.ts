import { describe, expect, it } from "vitest";
import {
  askConferencing,
  type Conferencing,
  type RequestedConferencing,
  settleConferencing,
} from "@/server/domain/events/conferencing";

const pending = { pending: true } as const;
const link = { provider: "google_meet", join_url: "https://meet.acme.io/1" } as const;
const other = { provider: "microsoft_teams", join_url: "https://meet.acme.io/2" } as const;

describe("conferencing of a write", () => {
  it.each<[Conferencing, RequestedConferencing, boolean, ReturnType<typeof askConferencing>]>([
    [null, undefined, true, { state: null, task: null }],
    [null, "default", true, { state: pending, task: "make" }],
    [null, "integrated", true, { state: pending, task: "make" }],
    [null, "none", true, { state: null, task: null }],
    [null, "default", false, { state: null, task: null }],
    [null, "integrated", false, "unavailable"],
    [null, "none", false, { state: null, task: null }],
    [pending, undefined, true, { state: pending, task: null }],
    [pending, "default", true, { state: pending, task: null }],
    [pending, "none", true, { state: null, task: "remove" }],
    [link, undefined, true, { state: link, task: null }],
    [link, "integrated", true, { state: link, task: null }],
    [link, "none", true, { state: null, task: "remove" }],
    [link, undefined, false, { state: link, task: null }],
  ])("from %j, asked %j, where links are made %j: %j", (state, asked, makesLinks, step) => {
    expect(askConferencing(state, asked, makesLinks)).toEqual(step);
  });
});

describe("the calendar's answer", () => {
  it.each<[Conferencing, Parameters<typeof settleConferencing>[1], Conferencing]>([
    [pending, link, link],
    [pending, "failed", null],
    [link, other, link],
    [link, "failed", link],
    [null, link, null],
  ])("to %j, %j: %j", (state, made, after) => {
    expect(settleConferencing(state, made)).toEqual(after);
  });
});
