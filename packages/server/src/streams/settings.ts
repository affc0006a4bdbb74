/** The settings of streams. */
import { flag, setting } from "@svc/host/settings";

export const streamSettings = {
  legacyStreamCreationEnabled: setting({
    variable: "LEGACY_STREAM_CREATION_ENABLED",
    meaning: "0: no new streams of class legacy",
    fallback: "1",
    parse: flag,
  }),
  /** Whether provenance streams are what new integrations should use. */
  provenanceLaneEnabled: setting({
    variable: "PROVENANCE_LANE_ENABLED",
    meaning: "1: new legacy streams come with a compatibilityWarning",
    fallback: "0",
    parse: flag,
  }),
};
