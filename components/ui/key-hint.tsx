export function KeyHint({ children }: { children: string }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded-sm border bg-paper px-1 font-mono text-12 text-faint">
      {children}
    </kbd>
  );
}
