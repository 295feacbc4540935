import { announce } from "@/components/ui/announce";
import { copy } from "@/components/ui/copy";

/** The buttons beside code copy it as it stands. */
export function copyOnPress(): void {
  document.addEventListener("click", async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLButtonElement>("[data-copy]") : null;
    const code = button?.closest(".sample")?.querySelector("pre");
    if (!button || !code) return;
    const name = button.dataset.copy ?? "";
    const isDone = await copy(code.textContent ?? "");
    button.textContent = isDone ? "Copied" : "Copy failed";
    button.removeAttribute("aria-label");
    announce(isDone ? `Copied ${name}` : "The browser blocked copying");
  });
}
