/** What any part of the server may tell of, and what the log and the metrics listen to. */
import { topic } from "@svc/host/channel";

/** A step beside the requests failed, with this error; it will be tried again. */
export const failed = topic<unknown>("failed");
/** No failure, and the operator should know of it: in whole sentences. */
export const warned = topic<string>("warned");
/** The disk has failed, so that nothing more is written: the process is to end, and to be started again. */
export const diskFailed = topic<Error>("disk failed");
