/** The route of the metrics. */
import Type from "typebox";
import { contract } from "../contract.ts";

export const metrics = contract({
  method: "GET",
  path: "/metrics",
  chapter: "service",
  summary: "What this process counts of itself.",
  description: "In the text format of Prometheus. No label names a stream, a key, a tenant or anything of a payload.",
  access: "metrics",
  answer: {
    status: 200,
    description: "The metrics.",
    schema: Type.String(),
    mediaType: "text/plain; version=0.0.4",
  },
});
