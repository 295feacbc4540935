import { describe, expect, it } from "vitest";
import { actionWord, detailText } from "@/components/dashboard/settings/words";

describe("the details of an audit entry", () => {
  it.each([
    [{ way: "password", reason: "wrong_password" }, "Password, wrong password"],
    [{ way: "single_sign_on" }, "Single sign-on"],
    [{ sessions: 1 }, "1 session ended"],
    [{ sessions: 0 }, "0 sessions ended"],
    [{ email: "ada@acme.io", role: "admin" }, "ada@acme.io, Admin"],
    [{ from: "support", to: "admin" }, "From Support, to Admin"],
    [{ plan: "standard", compatibilityMode: false }, "Standard plan, compatibility mode off"],
    [{ name: "Quill", plan: "developer" }, "Name Quill, Developer plan"],
    [{ view: ["changes", "sign_ins"], application: "app_1" }, "View changes or sign-ins, application app_1"],
    [{ state: "cancelled" }, "Was canceled"],
    [
      { filters: { state: ["failed", "cancelled"], errorClass: ["dns"] }, total: 12 },
      "State failed or canceled, error dns, 12 deliveries",
    ],
    [{ total: 12, retried: 3 }, "12 deliveries, 3 retried"],
    [{ write: "7", calendarId: "cal_1", wasRefused: true }, "Write 7, calendar cal_1, rejected by the provider"],
    [{ uri: "https://app.acme.io/callback" }, "https://app.acme.io/callback"],
    [{ redirectUris: [], clientId: "client_1" }, "Client ID client_1"],
    [{ url: "https://dav.acme.io/" }, "URL https://dav.acme.io/"],
    [{ server: "Acme", url: "https://dav.acme.io/" }, "Server Acme, URL https://dav.acme.io/"],
    [{ secret: "sec_1", days: 30 }, "Secret sec_1, expires after 30 days"],
    [{ way: "password", secondFactor: "recovery_code" }, "Password, recovery code"],
    [{}, ""],
  ])("%j: %s", (detail, text) => {
    expect(detailText(detail)).toBe(text);
  });
});

it("an action is said as elsewhere", () => {
  expect(actionWord("delivery.cancelled")).toBe("Canceled retry");
});
