import { expect } from "@playwright/test";
import { expectSoundIn } from "./sound";
import { test } from "./staff";

for (const locale of ["en", "de", "fr", "es", "ja"]) {
  test(`where ICLOUD_CALDAV_URL is not set, the form speaks of iCloud and Apple, in ${locale}`, async ({
    page,
    staffed,
  }) => {
    const asked = { response_type: "code", client_id: "acme", redirect_uri: staffed.redirectUri, state: "s-1" };
    const query = new URLSearchParams({ ...asked, locale, provider_name: "apple" });
    await page.goto(`${staffed.service.origin}/oauth/authorize?${query}`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("iCloud");
    await expect(page.getByRole("link", { name: "account.apple.com" })).toBeVisible();
    await expectSoundIn(page);
  });
}
