import type { Field } from "@/components/docs/fields";
import { Line, Markdown } from "@/components/docs/markdown";

/** Lists fields, with those of an object folded in below it. */
export function FieldList({ fields }: { fields: readonly Field[] }) {
  return (
    <ul className="border-t">
      {fields.map((field) => (
        <li key={field.name} className="border-b py-3 last:border-b-0">
          <FieldEntry field={field} />
        </li>
      ))}
    </ul>
  );
}

function FieldEntry({ field: { name, kind, isRequired, description, limits, fields } }: { field: Field }) {
  return (
    <div className="grid grid-cols-1 gap-1">
      <div className="flex flex-wrap items-baseline gap-x-2.5">
        <span className="font-mono text-13 font-medium wrap-anywhere">{name}</span>
        <span className="text-12 text-faint">{kind}</span>
        {isRequired && <span className="text-12">required</span>}
      </div>
      {description && <Markdown text={description} className="text-14" />}
      {limits.length > 0 && (
        <p className="prose-docs text-13 text-faint">
          <Line text={limits.join(" · ")} />
        </p>
      )}
      {fields.length > 0 && (
        <details className="mt-1 rounded-md border">
          <summary className="folds px-3 py-1.5 text-13 text-faint hover:text-ink">
            <span>
              Fields of <span className="font-mono">{name}</span>
            </span>
          </summary>
          <div className="px-3 [&>ul>li:last-child]:pb-3">
            <FieldList fields={fields} />
          </div>
        </details>
      )}
    </div>
  );
}
