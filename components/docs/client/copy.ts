import { announce } from "@/components/ui/announce";
import { copy } from "@/components/ui/copy";

/** The buttons beside code copy it as it stands, and the one of the page its Markdown. */
export function copyOnPress(): void {
  document.addEventListener("click", async ({ target }) => {
    const button =
      target instanceof Element ? target.closest<HTMLButtonElement>("[data-copy], [data-copy-page]") : null;
    if (!button) return;
    const { copy: name, copyPage } = button.dataset;
    const isDone = copyPage ? await copyFrom(copyPage) : await copy(codeBeside(button));
    button.textContent = isDone ? "Copied" : "Copy failed";
    button.removeAttribute("aria-label");
    announce(isDone ? `Copied ${name ?? "the page as Markdown"}` : "The browser blocked copying");
  });
}

function codeBeside(button: HTMLElement): string {
  const all = [...(button.closest(".sample")?.querySelectorAll("pre") ?? [])];
  return all.find((pre) => pre.checkVisibility())?.textContent ?? "";
}

/** The clipboard is promised the text right away: after the text has come, browsers no longer take it for the click's. */
async function copyFrom(address: string): Promise<boolean> {
  const text = fetch(address).then((response) => {
    if (!response.ok) throw new Error(`${response.status}`);
    return response.text();
  });
  try {
    if (!navigator.clipboard || typeof ClipboardItem === "undefined") return await copy(await text);
    const promised = text.then((plain) => new Blob([plain], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": promised })]);
    return true;
  } catch {
    return false;
  }
}
