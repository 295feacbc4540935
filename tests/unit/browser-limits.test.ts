import { expect, it, vi } from "vitest";

it("an action of a browser test ends before its test does, so that its own message is what fails", async () => {
  for (const name of ["E2E_PORT", "E2E_OUTSIDE_PORT", "E2E_APPLICATION_PORT"]) vi.stubEnv(name, "1");
  vi.stubEnv("E2E_DATA_DIR", "unused");
  const { default: config } = await import("../e2e/playwright.config");
  vi.unstubAllEnvs();
  const action = config.use?.actionTimeout ?? 0;
  expect(action).toBeGreaterThan(0);
  expect(2 * action).toBeLessThan(config.timeout ?? 0);
});
