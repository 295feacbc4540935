"use client";

export interface Mark {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Its classes, which fill it. */
  look: string;
  title?: string;
}

interface DrawingProps {
  width: number;
  height: number;
  marks?: readonly Mark[];
  /** The path of one line. */
  path?: string;
  className: string;
  /** Its name for screen readers. Omitted: they ignore the drawing. */
  label?: string;
}

/**
 * Draws bars and a line, stretched to its box. A client component, although it does nothing there: React streams parts
 * of a server's own SVG inside an element with an inline style, which the page's policy forbids.
 */
export function Drawing({ width, height, marks = [], path, className, label }: DrawingProps) {
  const named = label ? ({ role: "img", "aria-label": label } as const) : ({ "aria-hidden": true } as const);
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it is named by its label, or hidden.
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" className={className} {...named}>
      {marks.map((mark, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: marks have places and nothing else.
        <rect key={index} x={mark.x} y={mark.y} width={mark.width} height={mark.height} className={mark.look}>
          {mark.title && <title>{mark.title}</title>}
        </rect>
      ))}
      {path && (
        <path d={path} className="fill-none stroke-accent" strokeWidth="1.25" vectorEffect="non-scaling-stroke" />
      )}
    </svg>
  );
}
