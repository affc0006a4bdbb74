/** The server to ask: `--server`, else the variable SVC_SERVER. */
import { EXIT, Refusal } from "../exit.ts";

/**
 * Returns the server's URL without a slash at its end. Refuses a text that is no http address, or carries more than
 * one. `name`: how the call names it.
 */
export function serverUrl(option: string | undefined, variable: string | undefined, name = "--server"): string {
  const text = option ?? variable ?? "";
  const source = option === undefined ? "SVC_SERVER" : name;
  if (text === "")
    throw new Refusal(
      EXIT.usage,
      "No server is named.",
      "Give --server https://…, or set SVC_SERVER. To verify without a server: svc bundles offline-verify.",
    );
  const url = URL.canParse(text) ? new URL(text) : null;
  const isUnsigned = url !== null && url.search === "" && url.hash === "" && url.username === "" && url.password === "";
  if (url === null || !/^https?:$/.test(url.protocol) || !isUnsigned)
    throw new Refusal(
      EXIT.usage,
      `${source} is no address of a server.`,
      "Give it as in https://evidence.example, without a user name or a question mark.",
    );
  return url.href.replace(/\/+$/, "");
}
