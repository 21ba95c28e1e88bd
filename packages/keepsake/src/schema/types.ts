/** A JSON schema, as an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;
