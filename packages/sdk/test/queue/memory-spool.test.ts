/** The spool in memory. */
import { MemorySpool } from "../../src/index.ts";
import { behavesAsSpool } from "./spool-behaviour.ts";

behavesAsSpool(
  "a spool in memory",
  () => new MemorySpool(),
  async (spool) => {
    await spool.close();
    return spool;
  },
);
