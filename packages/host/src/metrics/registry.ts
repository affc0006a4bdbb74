/**
 * The metrics of a program, in the text format of Prometheus. Labels are small sets, and never say whose evidence it
 * is. Each server has its own registry. It knows no metric: each part of a program makes its own.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** A registry without a metric; each method throws Error for a name that exists. */
export class MetricsRegistry {
  readonly #registry = new Registry();

  /** Makes a metric that only rises. */
  counter<Label extends string = never>(name: string, help: string, labelNames: Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  /**
   * Makes a metric that rises and falls. `read` resolves to its value whenever the metrics are read; without `read`,
   * the caller sets it.
   */
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

  /**
   * Makes a metric that rises and falls, with a value for each set of labels. `read` resolves to all of them whenever
   * the metrics are read.
   */
  gauges<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read: () => Promise<readonly { readonly labels: Record<Label, string>; readonly value: number }[]>,
  ): Gauge<Label> {
    return new Gauge<Label>({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      async collect() {
        const values = await read();
        this.reset();
        for (const { labels, value } of values) this.set(labels, value);
      },
    });
  }

  /** Makes a metric that counts values by the smallest bucket that holds them. */
  histogram<Label extends string = never>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: Label[] = [],
  ): Histogram<Label> {
    return new Histogram({ name, help, buckets, labelNames, registers: [this.#registry] });
  }

  /** Adds the metrics of every Node process, such as its memory. */
  addProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** Resolves to all metrics as text, with their values of this moment. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
