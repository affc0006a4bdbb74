/** Builds all products, from the sources with the fault, for all test files of a hunt. Prints the folder. */
import { buildAll } from "@svc/testkit/built";

console.log(await buildAll());
