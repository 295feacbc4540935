/** The least contrast of text, including a button's (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = 4.5;
const STEP = 0.005;

/** Lightness, chroma, and hue in degrees. */
type Oklch = readonly [number, number, number];
type Rgb = readonly [number, number, number];

/**
 * The surfaces behind the accent: in each theme the one of components/ui/theme.css with the least contrast to it (ADR
 * 69).
 */
export const surfaces = { light: [0.985, 0.004, 85], dark: [0.225, 0.012, 260] } as const satisfies Record<
  string,
  Oklch
>;

export interface Accents {
  light: string;
  dark: string;
}

const HEX = /^#[\da-f]{6}$/i;

/** Checks that a text is a colour in the form `#rrggbb`. */
export function isColour(text: string): boolean {
  return HEX.test(text);
}

/**
 * Computes `#rrggbb` of an accent as text in both themes: unchanged where it is readable, otherwise darker in the light
 * theme and lighter in the dark one, in the same hue.
 */
export function accentsOf(colour: string): Accents {
  return { light: readable(colour, "light"), dark: readable(colour, "dark") };
}

/** Computes the contrast of two luminances, from 1 to 21. */
export function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Computes the relative luminance of `#rrggbb`. */
export function luminanceOf(colour: string): number {
  return luminance(linearOf(colour));
}

export function luminanceOfSurface(theme: keyof typeof surfaces): number {
  return luminance(linearFromOklch(surfaces[theme]));
}

function readable(colour: string, theme: keyof typeof surfaces): string {
  const surface = luminanceOfSurface(theme);
  const isReadable = (shade: string) => contrast(luminanceOf(shade), surface) >= LEAST_CONTRAST;
  let shade = colour.toLowerCase();
  const [lightness, chroma, hue] = oklchOf(linearOf(shade));
  for (let step = 1; !isReadable(shade); step++) {
    shade = hexOf([theme === "light" ? lightness - step * STEP : lightness + step * STEP, chroma, hue]);
  }
  return shade;
}

/** Converts to `#rrggbb` within sRGB: a colour too vivid for its lightness gets paler. */
function hexOf([lightness, chroma, hue]: Oklch): string {
  const light = Math.min(1, Math.max(0, lightness));
  for (let colour = chroma; ; colour -= STEP) {
    const linear = linearFromOklch([light, Math.max(0, colour), hue]);
    const isWithin = linear.every((part) => part >= -0.0001 && part <= 1.0001);
    if (isWithin || colour <= 0) return `#${linear.map(hexPart).join("")}`;
  }
}

function hexPart(linear: number): string {
  const part = Math.min(1, Math.max(0, linear));
  const encoded = part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255)
    .toString(16)
    .padStart(2, "0");
}

function linearOf(colour: string): Rgb {
  const part = (place: number) => {
    const encoded = Number.parseInt(colour.slice(place, place + 2), 16) / 255;
    return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

// https://bottosson.github.io/posts/oklab/
function oklchOf([r, g, b]: Rgb): Oklch {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return [lightness, Math.hypot(a, bb), (Math.atan2(bb, a) * 180) / Math.PI];
}

function linearFromOklch([lightness, chroma, hue]: Oklch): Rgb {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}
