/** The values that the metrics of real processes have shown. */
import { Client } from "@svc/testkit/server/client";
import { until } from "@svc/testkit/until";

const TOKEN = "a-token-of-the-metrics";

/** The settings of a process that shows its metrics. */
export const SHOWN = { SVC_METRICS_TOKEN: TOKEN } as const;

/** A series: its name, and its labels by their names. */
export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

const COUNTED = /_(?:total|count|sum|bucket)$/;

/** All that was shown, over all processes. */
export class SeenMetrics {
  /** By series, as the text has it. */
  readonly #values = new Map<string, Set<number>>();
  /** The names of all metrics, as their processes describe them. */
  readonly names = new Set<string>();

  /** Reads the metrics of a process once. */
  async look({ url }: Pick<Client, "url">): Promise<void> {
    const { text } = await new Client(url, "").get("/metrics", { authorization: `Bearer ${TOKEN}` });
    for (const line of text.split("\n")) {
      const [, described] = /^# TYPE (\S+) /.exec(line) ?? [];
      if (described !== undefined) this.names.add(described);
      const end = line.lastIndexOf(" ");
      if (end < 0 || line.startsWith("#")) continue;
      const series = line.slice(0, end);
      this.#values.set(series, (this.#values.get(series) ?? new Set()).add(Number(line.slice(end + 1))));
    }
  }

  /** Looks until a series that begins so has moved. */
  async move(client: Pick<Client, "url">, ...beginnings: readonly string[]): Promise<void> {
    for (const beginning of beginnings)
      await until(`${beginning} moves`, async () => {
        await this.look(client);
        return this.moved.some((series) => series.startsWith(beginning)) ? true : null;
      });
  }

  /** The series that moved: a counter begins to exist with its first count, and anything else has had two values. */
  get moved(): string[] {
    return [...this.#values]
      .filter(([series, values]) => (COUNTED.test(seriesOf(series).name) ? Math.max(...values) > 0 : values.size > 1))
      .map(([series]) => series);
  }
}

/** Returns the parts of a series' text. */
export function seriesOf(text: string): Series {
  const [, name = "", labels = ""] = /^(\w+)(?:\{(.*)\})?$/.exec(text) ?? [];
  return {
    name,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value])),
  };
}
