/** Notices that any part of the server may publish; the log and the metrics listen to them. */
import { topic } from "@svc/host/channel";

/** A step beside the requests failed, with this error; it will be tried again. */
export const failed = topic<unknown>("failed");
/** A state that is no failure, but that the operator should know: in whole sentences. */
export const warned = topic<string>("warned");
/** The thread that records has ended by itself: the process must end, and be started again. */
export const recordingEnded = topic<Error>("recording ended");
/** The disk has failed, and nothing more is written: the process must end, and be started again. */
export const diskFailed = topic<Error>("disk failed");
