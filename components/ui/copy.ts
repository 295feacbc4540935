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
