import { Line } from "@/components/docs/markdown";
import type { EndpointError } from "@/server/http/error-keys";

/** Lists what can be wrong with a request to one endpoint. */
export function ErrorList({ errors }: { errors: readonly EndpointError[] }) {
  return (
    <ul className="border-t">
      {errors.map(({ key, field, when }) => (
        <li key={`${key} ${field} ${when}`} className="grid grid-cols-1 gap-0.5 border-b py-2 text-13">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 font-mono text-12">
            <a href={`/docs/errors#${key}`} className="text-accent underline-offset-3 wrap-anywhere hover:underline">
              {key}
            </a>
            <span className="text-faint wrap-anywhere">{field}</span>
          </div>
          <p>
            <Line text={when} />
          </p>
        </li>
      ))}
    </ul>
  );
}
