/** The routes that append. */

/** The kind of route of a request. */
export interface AppendRoute {
  readonly isBatch: boolean;
  /** Set for a request to the event log. */
  readonly isLog?: boolean;
}
