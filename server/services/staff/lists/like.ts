/** A text as a part of a LIKE pattern, in which it means only itself. */
export function literally(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** A LIKE pattern of what begins with a text. */
export function beginning(text: string): string {
  return `${literally(text)}%`;
}
