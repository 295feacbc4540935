/** Copies a text to the clipboard. Returns false if the browser did not allow it. */
export async function copy(text: string): Promise<boolean> {
  try {
    // Undefined if the page was loaded over plain http from another machine.
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else return copyBySelection(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Copies a text that is still on its way. The clipboard gets the promise of it where the browser has that, because some
 * forget by then that somebody pressed a button. Rejects if the text does.
 */
export async function copyLater(text: Promise<string>): Promise<boolean> {
  // Undefined if the page was loaded over plain http from another machine.
  if (typeof ClipboardItem === "undefined" || !navigator.clipboard?.write) return copy(await text);
  const blob = text.then((ready) => new Blob([ready], { type: "text/plain" }));
  const isDone = await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]).then(
    () => true,
    () => false,
  );
  await text;
  return isDone;
}

function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "sr-only";
  const before = document.activeElement;
  document.body.append(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return isDone;
}
