/**
 * Whoever acts. One shape for systems, users, auditors and all others, so that every route and every evidence row names its actor alike.
 */
export interface Principal {
  readonly tenantId: string;
  readonly kind: "system" | "user" | "auditor" | "installation" | "connector" | "party" | "service";
  readonly id: string;
  readonly roles: readonly string[];
}
