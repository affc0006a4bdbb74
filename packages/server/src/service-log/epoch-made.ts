/** The message after the commit of each epoch of the service log. */
import { topic } from "@svc/host/channel";

/** The number of the epoch. */
export const epochMade = topic<number>("epoch made");
