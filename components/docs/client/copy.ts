import { announce } from "@/components/ui/announce";
import { copy } from "@/components/ui/copy";

/** Copies code when the button beside it is pressed, and the page's Markdown for the page's button. */
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

/** Promises the text to the clipboard at once: after the response, browsers no longer attribute it to the click. */
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
