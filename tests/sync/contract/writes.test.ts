import { afterAll, beforeAll, describe, it } from "vitest";
import { type Receiver, startReceiver } from "../../fakes/receiver";
import { fileEnvironment } from "../file-environment";
import { googleSide } from "./google-side";
import { hostedSide } from "./hosted-side";
import { microsoftSide } from "./microsoft-side";
import { playWrites } from "./play-writes";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
fileEnvironment(() => ({ LOG_LEVEL: "error", CALLBACK_ALLOWED_ORIGINS: receiver.origin }));
afterAll(() => receiver.close());

describe("what becomes of an event that two write to is the same everywhere", () => {
  it.each([
    ["an application calendar", hostedSide],
    ["Google", googleSide],
    ["Microsoft 365", microsoftSide],
  ])("%s", (_, open) => playWrites(open, receiver));
});
