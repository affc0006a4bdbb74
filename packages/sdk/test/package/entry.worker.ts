/** A worker of a server: behaves as the body of a request says. */
import * as sdk from "@svc/sdk";
import { behave } from "./behaviour.ts";

export default {
  async fetch(request: Request): Promise<Response> {
    return Response.json(await behave(sdk, (await request.json()) as never));
  },
};
