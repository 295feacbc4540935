/** Shows `POST /v1/channels`, with the path parameters highlighted. */
export function MethodPath({ method, path }: { method: string; path: string }) {
  return (
    <span className="font-mono text-13 wrap-anywhere">
      <span className="mr-2 font-medium">{method}</span>
      {path.split(/(\{[^}]+\})/).map((part) =>
        part.startsWith("{") ? (
          <span key={part} className="text-accent">
            {part}
          </span>
        ) : (
          <span key={part}>{part}</span>
        ),
      )}
    </span>
  );
}
