/** A page: it verifies with the main entry, which refuses it a client, and takes the client from the entry of its own. */
import * as sdk from "@svc/sdk";
import { SvcClient } from "@svc/sdk/client";
import { type Behaviour, behave, type Setting } from "./behaviour.ts";

/** What the page offers. */
export interface PageBehaviour {
  behave(setting: Setting): Promise<Behaviour>;
  /** What the main entry says to who wants a client of it. */
  refusal(): string;
}

(globalThis as unknown as { page: PageBehaviour }).page = {
  behave: (setting) => behave({ ...sdk, SvcClient }, setting),
  refusal: () => {
    try {
      new sdk.SvcClient({ baseUrl: "http://127.0.0.1", apiKey: "k" });
      return "";
    } catch (error) {
      return String(error);
    }
  },
};
