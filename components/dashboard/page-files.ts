/** Loaded while the page is parsed. */
export const firstFonts = ["/fonts/inter-latin.woff2", "/fonts/jetbrains-mono-latin.woff2"];

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#fbf9f5"/><path d="M3 6h10M3 4.5v8h10v-8zM5.5 3v2M10.5 3v2" fill="none" stroke="#22252e"/><circle cx="10" cy="9.5" r="1.5" fill="#c02d24"/></svg>`;

/** The page's icon, inline: no request is needed. */
export const icon = `data:image/svg+xml,${encodeURIComponent(drawing)}`;
