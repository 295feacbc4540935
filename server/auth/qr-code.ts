import { encode } from "uqr";

/** A QR code as the path of an SVG: its dark modules, in a square of `size` units that includes the quiet zone. */
export interface QrCode {
  size: number;
  path: string;
}

/** The quiet zone that ISO/IEC 18004 requires, in modules. */
const QUIET_ZONE = 4;

/** Draws a text as a QR code. */
export function qrCode(text: string): QrCode {
  const { size, data } = encode(text, { border: QUIET_ZONE, ecc: "L" });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return { size, path };
}
