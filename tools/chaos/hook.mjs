// Loaded before the server by --import: kills the process with SIGKILL at a failpoint, or sends it another signal
// there, and sets its clock wrong. The parent process gives all of it, as JSON in SVC_CHAOS or as a message while it
// runs: {"kill": {"failpoint", "nth", "after", "signal"}, "clockMs"}. Every thread of the server loads it, counts for
// itself, and gets the messages that the first one gets. The server knows nothing of it.
import { subscribe } from "node:diagnostics_channel";

let clockMs = 0;
let kill = null;

function obey(order) {
  if (order.clockMs !== undefined) clockMs = order.clockMs;
  if (order.kill !== undefined) kill = order.kill;
}

const TrueDate = Date;
globalThis.Date = class extends TrueDate {
  constructor(...parts) {
    if (parts.length === 0) super(Date.now());
    else super(...parts);
  }

  static now() {
    return TrueDate.now() + clockMs;
  }
};

obey(JSON.parse(process.env.SVC_CHAOS ?? "{}"));
subscribe("svc.failpoint", (name) => {
  if (kill?.after !== undefined) {
    // Nothing before this failpoint counts.
    if (kill.after === name) kill.after = undefined;
    return;
  }
  if (kill?.failpoint !== name) return;
  kill.nth -= 1;
  // The signal arrives before any other code of this process runs.
  if (kill.nth > 0) return;
  const { signal = "SIGKILL" } = kill;
  kill = null;
  process.kill(process.pid, signal);
});
const threads = new BroadcastChannel("svc.chaos");
threads.unref();
threads.onmessage = ({ data }) => obey(data);
process.on("message", (order) => {
  obey(order);
  threads.postMessage(order);
});
// The channel to the parent must not keep the process alive.
process.channel?.unref();
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
