/** The entry for other programs of families: it makes a program, runs its commands, and has its threads. */
export type { CheckContext, DiagnoseContext } from "../check-context.ts";
export { type Deployment, type DeploymentOptions, show, withDeployment } from "../commands/deployment.ts";
export { run } from "../commands/program.ts";
export type { AnsweringContext, Context, ReadContext, ServerFamily } from "../context.ts";
export { DataFolderError, NEXT_SECRETS_KEY, SECRETS_KEY } from "../data-folder/data-folder.ts";
export { facePortSettings } from "../faces.ts";
export { evidenceType, type LifecycleType, recordLifecycle } from "../lifecycle/lifecycle-stream.ts";
export type { Program, ThreadPrograms } from "../program/program.ts";
export { programOf } from "../program/program-of.ts";
export { readFor } from "../reading/read-for.ts";
export { recordFor } from "../recording/record-for.ts";
export { recordBeside } from "../tenancy/administration.ts";
