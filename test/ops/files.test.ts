/** The dashboard, the alerts and the OpenTelemetry configuration use existing metrics. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectDefaultMetrics, Registry, register } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createDatabaseMetrics } from '../../src/database/control/database-metrics.ts';
import { startService, type TestService } from '../support/service.ts';

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

const dashboard: { readonly panels: readonly Panel[] } = JSON.parse(readFileSync('ops/grafana.json', 'utf8'));
const ofPanels = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const { groups } = parse(readFileSync('ops/alerts.yml', 'utf8'));
const ofAlerts: string[] = groups.flatMap(({ rules }: { rules: { expr: string }[] }) => rules.map(({ expr }) => expr));

let service: TestService;
/** Labels by metric, including those that Prometheus adds. */
const labels = new Map<string, readonly string[]>([['up', []]]);
const added = ['job', 'instance', 'le'];

beforeAll(async () => {
  service = await startService({ environment: { METRICS_PORT: '0' } });
  const ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  for (const metric of [...register.getMetricsAsArray(), ...ofProcess.getMetricsAsArray()])
    labels.set(metric.name, (metric as unknown as { labelNames: readonly string[] }).labelNames);
  for (const [, name = ''] of (await createDatabaseMetrics(service.database)()).matchAll(/^# TYPE (\S+)/gm))
    labels.set(name, ['customer', ...(name.startsWith('estate_table_') ? ['table'] : [])]);
});
afterAll(() => service.stop());

const metricOf = (name: string) => (labels.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''));

test.each([...new Set([...ofPanels, ...ofAlerts])])('%s', (expression) => {
  const series = [...expression.matchAll(/\b((?:estate|nodejs|process)_\w+|up)\b(?:\{([^}]*)\})?/g)];
  expect(series.length).toBeGreaterThan(0);
  const known = series.flatMap(([, name = '', matchers = '']) => {
    const metric = metricOf(name);
    expect([...labels.keys()]).toContain(metric);
    for (const [, label = ''] of matchers.matchAll(/(\w+)\s*=~?"/g)) expect([...added, ...(labels.get(metric) ?? [])]).toContain(label);
    return labels.get(metric) ?? [];
  });
  for (const [, names = ''] of expression.matchAll(/\bby \(([^)]*)\)/g))
    for (const label of names.split(', ')) expect([...added, ...known]).toContain(label);
});

const withoutVariables = (expression: string) => expression.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');

test.runIf(spawnSync('promtool', ['--version']).status === 0 || process.env.CI)('promtool parses the queries of the panels', () => {
  const rules = {
    groups: [{ name: 'panels', rules: ofPanels.map((expr, index) => ({ record: `panel_${index}`, expr: withoutVariables(expr) })) }],
  };
  const folder = mkdtempSync(join(tmpdir(), 'panels-'));
  writeFileSync(join(folder, 'rules.json'), JSON.stringify(rules));
  const { status, stderr } = spawnSync('promtool', ['check', 'rules', '--lint=none', join(folder, 'rules.json')], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('panels do not overlap', () => {
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
});

test('every pipeline of the OpenTelemetry configuration uses components of its file, and receives what the service sends', () => {
  const { service: wiring, ...parts } = parse(readFileSync('ops/otel-collector.yaml', 'utf8'));
  for (const pipeline of Object.values<Record<string, string[]>>(wiring.pipelines))
    for (const [kind, names] of Object.entries(pipeline)) for (const name of names) expect(Object.keys(parts[kind])).toContain(name);
  expect(parts.receivers.otlp.protocols.http.endpoint).toMatch(/:4318$/);
});
