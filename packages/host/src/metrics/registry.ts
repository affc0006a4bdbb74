/**
 * What a program counts of itself, in the text format of Prometheus. Labels are sets that stay small, and say nothing of
 * whose evidence it is. A registry of its own for each server. Knows no metric: each part of a program makes its own.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export class MetricsRegistry {
  readonly #registry = new Registry();

  /** Makes what only rises. */
  counter<Label extends string = never>(name: string, help: string, labelNames: Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  /** Makes what rises and falls. `read` gives its value whenever the metrics are asked for; without it, it is set. */
  gauge(name: string, help: string, read?: () => Promise<number>): Gauge {
    const registers = [this.#registry];
    if (read === undefined) return new Gauge({ name, help, registers });
    return new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read());
      },
    });
  }

  /** Makes what counts values by the smallest bucket that holds them. */
  histogram<Label extends string = never>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: Label[] = [],
  ): Histogram<Label> {
    return new Histogram({ name, help, buckets, labelNames, registers: [this.#registry] });
  }

  /** Adds what is known of every process, such as its memory. */
  addProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** All of them as text, with their values of this moment. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
