/** What the generator reads of a JSON Schema. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: (string | number)[];
  const?: string | number | boolean;
  description?: string;
  additionalProperties?: Schema | boolean;
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
}

interface Operation {
  operationId: string;
  summary: string;
  parameters?: Parameter[];
}

/** What the generator reads of the OpenAPI document. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** Values that a service may spell in another vocabulary, or add to, so that a client must accept more than the document lists. */
export const openEnums: ReadonlySet<string> = new Set(["provider_name", "provider_service", "reason", "pushes"]);

/** Which providers a service offers differs by service. */
const OF_ONE_SERVICE = / Available on this service: .*$/;

/** What a client says of a part of the document. */
export function commentOf(description = ""): string {
  return description.replace(OF_ONE_SERVICE, "");
}

export function operationIds(document: Document): string[] {
  return operationsOf(document).map(({ operationId }) => operationId);
}

/** The query of each operation that has one, as an object that a caller passes: brackets and the text of booleans are the client's concern. */
export function queriesOf(document: Document): { name: string; operation: string; schema: Schema }[] {
  return operationsOf(document).flatMap(({ operationId, summary, parameters = [] }) => {
    const query = parameters.filter((parameter) => parameter.in === "query");
    if (query.length === 0) return [];
    const properties = query.map(({ name, description, schema }) => [
      plain(name),
      { ...asPassed(schema), description },
    ]);
    const required = query.filter((parameter) => parameter.required).map(({ name }) => plain(name));
    const name = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}Query`;
    const schema = { type: "object", properties: Object.fromEntries(properties), required };
    return [{ name, operation: `\`${operationId}\`: ${summary}`, schema }];
  });
}

function operationsOf({ paths }: Document): Operation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

function plain(name: string): string {
  return name.replace(/\[\]$/, "");
}

function asPassed(schema: Schema): Schema {
  return schema.anyOf?.find(({ type }) => type === "boolean") ?? schema;
}
