/** A worker of a server: runs the behaviour of a request's body. */
import * as sdk from "@svc/sdk";
import { behave } from "./behaviour.ts";

export default {
  async fetch(request: Request): Promise<Response> {
    return Response.json(await behave(sdk, (await request.json()) as never));
  },
};
