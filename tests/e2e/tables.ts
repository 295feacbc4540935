/** Where a line ends within a word, what does not fit, code whose signs are drawn as others, and heads of cells in which nothing is. */
export async function readTables() {
  await document.fonts.ready;
  for (const folded of document.querySelectorAll("details")) folded.open = true;
  const boxes = [...document.querySelectorAll(".doc-table")];
  const broken: string[] = [];
  const range = document.createRange();
  for (const cell of boxes.flatMap((box) => [...box.querySelectorAll("td, th")])) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const letters = text.textContent ?? "";
      for (const { index } of letters.matchAll(/(?<=[\p{L}\p{N}])\S/gu)) {
        range.setStart(text, index - 1);
        range.setEnd(text, index + 1);
        const [first, last] = [range.getClientRects()[0], [...range.getClientRects()].at(-1)];
        if (first && last && last.top > first.bottom - 1)
          broken.push(`${letters.slice(0, index)}|${letters.slice(index)}`);
      }
    }
  }
  const cutOff = boxes.filter((box) => box.scrollWidth > box.clientWidth);
  const joined = [...document.querySelectorAll("code, pre")].filter(
    (code) => getComputedStyle(code).fontVariantLigatures !== "none",
  );
  const hollow = [...document.querySelectorAll(".doc-table-folds td")].filter(
    (cell) => cell.textContent === "" && cell.clientHeight > 0,
  );
  const texts = joined.map((code) => code.textContent);
  return {
    seen: boxes.length,
    broken,
    cutOff: cutOff.map((box) => box.ariaLabel),
    joined: texts,
    hollow: hollow.length,
  };
}
