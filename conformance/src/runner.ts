/** The name and version that a result gives for the runner. */
import { VERSION } from "../../packages/core/src/version.ts";

export const RUNNER = `svc-conformance ${VERSION}`;
