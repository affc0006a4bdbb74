/** A page: it verifies with the main entry, which refuses it a client, and gets the client from its own entry. */
import * as sdk from "@svc/sdk";
import { SvcClient } from "@svc/sdk/client";
import { type Behaviour, behave, type Setting } from "./behaviour.ts";

/** The functions of the page. */
export interface PageBehaviour {
  behave(setting: Setting): Promise<Behaviour>;
  /** Returns the main entry's refusal of a client. */
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
