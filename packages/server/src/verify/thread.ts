/** A thread that verifies: one object after the other, each under the trust that comes with it. */

import { serveTasks } from "@svc/host/threads";
import { kernel } from "../kernel.ts";
import { type Examined, examine, type Question } from "./examine.ts";

serveTasks<Question, Examined, string, number | null>((question, headOf) => examine(kernel, question, headOf));
