/** The program of a verifying thread: one object after another, each under the trust policy that comes with it. */

import { serveTasks } from "@svc/host/threads";
import { kernel } from "../kernel.ts";
import { type Examined, examine, type Question } from "./examine.ts";

serveTasks<Question, Examined, string | null, number | null>((question, headOf) => examine(kernel, question, headOf));
