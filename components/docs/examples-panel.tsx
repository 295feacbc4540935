import { CodeSample } from "@/components/docs/code-sample";
import type { ShownExample } from "@/components/docs/examples";
import { Sample } from "@/components/docs/sample";
import { State } from "@/components/docs/status";
import { TryIt } from "@/components/docs/try-it";

/** Shows requests to copy with their responses. The first is open. */
export function ExamplesPanel({ examples, isTried }: { examples: readonly ShownExample[]; isTried: boolean }) {
  return (
    <div className="grid grid-cols-1 gap-2">
      {examples.map(({ name, summary, request, variants, trial, status, response, instead }, nth) => (
        <details
          key={name}
          name="examples"
          open={nth === 0}
          className="example group/example border-b pb-2 last:border-b-0"
        >
          <summary className="folds py-1.5 text-13 text-faint group-open/example:text-ink hover:text-ink">
            <span className="grow text-pretty">{summary}</span>
            {status !== null && <State status={status} />}
          </summary>
          <div className="grid grid-cols-1 gap-2 pt-1 pb-2">
            {variants.length > 0 ? (
              <CodeSample id={name} name={request.name} variants={variants} label={`${request.name}: ${summary}`} />
            ) : (
              <Sample {...request} label={`${request.name}: ${summary}`} />
            )}
            {isTried && trial && <TryIt id={name} call={trial} label={summary} />}
            {response && <Sample {...response} label={`${response.name}: ${summary}`} />}
            {instead && (
              <p className="text-12 text-faint">
                Response {status}, {instead}
              </p>
            )}
          </div>
        </details>
      ))}
    </div>
  );
}
