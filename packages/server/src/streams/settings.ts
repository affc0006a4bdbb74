/** The settings of streams. */
import { flag, integer, setting } from "@svc/host/settings";

/** The settings of streams of class legacy. */
export const streamSettings = {
  legacyStreamCreationEnabled: setting({
    variable: "LEGACY_STREAM_CREATION_ENABLED",
    meaning: "0: no new streams of class legacy",
    fallback: "1",
    parse: flag,
  }),
  /** Whether new integrations should use provenance streams. */
  provenanceLaneEnabled: setting({
    variable: "PROVENANCE_LANE_ENABLED",
    meaning: "1: new legacy streams come with a compatibilityWarning",
    fallback: "0",
    parse: flag,
  }),
  /** The most streams whose events one transaction records. */
  groupStreams: setting({
    variable: "SVC_GROUP_STREAMS",
    meaning: "the most streams whose events one transaction records, 1 to 256",
    fallback: "256",
    parse: integer(1, 256),
  }),
};
