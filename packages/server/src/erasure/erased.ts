/** The message after the commit of each erasure. */
import { topic } from "@svc/host/channel";

/** The id of the event whose payload is gone. */
export const erased = topic<string>("erased");
