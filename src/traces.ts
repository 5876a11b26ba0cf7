/**
 * OpenTelemetry traces, exported over OTLP/HTTP. This file is loaded only if the settings name a collector. Errors are recorded by class,
 * because messages may contain values of the request.
 */
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Tracer } from './timing.ts';

/** The export timeout. A slower collector loses spans, and the shutdown does not wait for it. */
const sentWithinMs = 2_000;

type Reached = (isReached: boolean, error?: Error) => void;

/** Exports spans, and reports when the OpenTelemetry collector becomes reachable or unreachable. */
class ReportingExporter extends OTLPTraceExporter {
  readonly #report: Reached;
  #isReached: boolean | undefined;

  constructor(url: string, report: Reached) {
    super({ url, timeoutMillis: sentWithinMs });
    this.#report = report;
  }

  override export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    super.export(spans, (result) => {
      const isReached = result.code === ExportResultCode.SUCCESS;
      if (isReached !== this.#isReached) this.#report(isReached, result.error);
      this.#isReached = isReached;
      done(result);
    });
  }
}

/** The class of an error, without its message. */
const classOf = (failure: unknown): string => {
  const { code, name } = failure as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : String(name ?? 'Error');
};

/** Creates a tracer for the OpenTelemetry collector at `endpoint`. Spans that it does not accept in time are dropped. */
export const createTracer = (endpoint: string, version: string, report: Reached): Tracer => {
  const exporter = new ReportingExporter(`${endpoint.replace(/\/+$/, '')}/v1/traces`, report);
  const named = resourceFromAttributes({ 'service.name': 'estate', 'service.version': version });
  const provider = new TracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES can add or replace attributes.
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: sentWithinMs })],
  });
  const tracer = provider.getTracer('estate', version);
  return {
    begin: (name, since, traceparent) => {
      const caller = traceparent === undefined ? undefined : (parseTraceParent(traceparent) ?? undefined);
      const root = context.active();
      const parent = caller ? trace.setSpanContext(root, { ...caller, isRemote: true }) : root;
      const request = tracer.startSpan(name, { kind: SpanKind.SERVER, startTime: since }, parent);
      const within = trace.setSpan(root, request);
      return {
        add: (stretch, from, attributes, failure) => {
          const kind = 'db.system.name' in attributes ? SpanKind.CLIENT : SpanKind.INTERNAL;
          const span = tracer.startSpan(stretch, { kind, startTime: from, attributes }, within);
          if (failure !== undefined) span.setAttribute('error.type', classOf(failure)).setStatus({ code: SpanStatusCode.ERROR });
          span.end(performance.now());
        },
        end: (attributes, hasFailed) => {
          request.setAttributes(attributes);
          if (hasFailed) request.setStatus({ code: SpanStatusCode.ERROR });
          request.end(performance.now());
        },
      };
    },
    close: () => provider.shutdown().catch(() => {}),
  };
};
