import { expect, it } from 'vitest';
import { Metrics } from '../../src/serve/metrics.ts';

it('the times of requests are a cumulative histogram in seconds for each path, beside the counts by status', async () => {
  const metrics = new Metrics();
  for (const seconds of [0.0005, 0.001, 0.002, 0.3, 2.5, 60]) metrics.record('/a/{id}', 200, seconds);
  metrics.record('/a/{id}', 404, 0.002);
  metrics.record('/b', 200, 0.04);
  const { body, contentType } = await metrics.text(['more 1']);
  expect(contentType).toMatch(/^text\/plain/);
  const lines = body.trimEnd().split('\n');
  expect(lines.filter((line) => line.startsWith('foremark_requests_total'))).toEqual([
    'foremark_requests_total{path="/a/{id}",status="200"} 6',
    'foremark_requests_total{path="/a/{id}",status="404"} 1',
    'foremark_requests_total{path="/b",status="200"} 1',
  ]);
  const timed = lines.filter((line) => line.startsWith('foremark_request_seconds'));
  const ofA = timed.filter((line) => line.includes('path="/a/{id}"'));
  // A time at a bound is within it.
  expect(ofA.map((line) => [/le="([^"]+)"/.exec(line)?.[1], Number(line.split(' ').at(-1))])).toEqual([
    ['0.001', 2],
    ['0.0025', 4],
    ['0.005', 4],
    ['0.01', 4],
    ['0.025', 4],
    ['0.05', 4],
    ['0.1', 4],
    ['0.25', 4],
    ['0.5', 5],
    ['1', 5],
    ['2.5', 6],
    ['+Inf', 7],
    [undefined, expect.closeTo(62.8055, 9)],
    [undefined, 7],
  ]);
  expect(ofA.slice(-2).map((line) => line.split(/[{ ]/)[0])).toEqual([
    'foremark_request_seconds_sum',
    'foremark_request_seconds_count',
  ]);
  expect(timed.at(-1)).toBe('foremark_request_seconds_count{path="/b"} 1');
  for (const [name, type] of [
    ['foremark_requests_total', 'counter'],
    ['foremark_request_seconds', 'histogram'],
  ]) {
    expect(lines).toContain(`# TYPE ${name} ${type}`);
    expect(lines.some((line) => line.startsWith(`# HELP ${name} `))).toBe(true);
  }
  expect(lines.some((line) => line.startsWith('process_cpu_seconds_total'))).toBe(true);
  expect(lines.at(-1)).toBe('more 1');
});

it('the first answer already has the measured delay of the event loop, in seconds', async () => {
  const { body } = await new Metrics().text([]);
  const delays = body.split('\n').filter((line) => line.startsWith('nodejs_eventloop_lag_'));
  const values = delays.map((line) => Number(line.split(' ').at(-1)));
  expect(values.length).toBeGreaterThan(5);
  expect(values.filter((each) => !(each < 60))).toEqual([]);
});
