/** The limits of what programs share: how they divide their time among all callers. */

/** Reads of all askers together that wait for evidence; past it, each asker has one. */
export const MAX_ALL_READS_WAITING = 1024;
