/** Limits that programs share: how they divide their time among all callers. */

/** The most reads of all askers together that wait for evidence; beyond it each asker may have one waiting. */
export const MAX_ALL_READS_WAITING = 1024;
