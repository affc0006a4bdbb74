/** The refusal of a change of systems and their keys. Commands and routes say it in their own words. */

/** Why a change is refused; `subject` of the refusal is the id of the key, the system or the stream. */
export type RefusalReason =
  | "system_not_found"
  | "system_retired"
  | "key_not_found"
  | "key_not_in_force"
  | "stream_not_found";

/** A change of a tenant's systems or keys that is not possible. The transaction of the change has to end with it. */
export class TenancyRefusal extends Error {
  readonly reason: RefusalReason;
  /** The id of the object that the reason is about. */
  readonly subject: string;

  constructor(reason: RefusalReason, subject: string) {
    super(`${reason}: ${subject}`);
    this.name = "TenancyRefusal";
    this.reason = reason;
    this.subject = subject;
  }
}
