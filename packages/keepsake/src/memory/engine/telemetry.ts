import type { Attributes, Tracer } from "@opentelemetry/api";

let tracer: Promise<Tracer | undefined> | undefined;

/** The app's tracer; `undefined` where it has no OpenTelemetry. Looked for once. */
function findTracer(): Promise<Tracer | undefined> {
  tracer ??= import("@opentelemetry/api").then(
    ({ trace }) => trace.getTracer("keepsake"),
    () => undefined,
  );
  return tracer;
}

/**
 * Does some work within a span, where the app has OpenTelemetry. Attributes are counts: neither texts nor namespaces, which are names of
 * people, leave with a trace.
 */
export async function traced<T>(
  name: string,
  work: () => Promise<T>,
  attributesOf: (result: T) => Attributes,
): Promise<T> {
  const found = await findTracer();
  if (found === undefined) return work();
  return found.startActiveSpan(`keepsake.${name}`, async (span) => {
    try {
      const result = await work();
      span.setAttributes(attributesOf(result));
      return result;
    } catch (error) {
      // SpanStatusCode.ERROR. The message stays out: it may quote what was said.
      span.setStatus({ code: 2 });
      span.setAttribute("error.type", error instanceof Error ? error.name : typeof error);
      throw error;
    } finally {
      span.end();
    }
  });
}
