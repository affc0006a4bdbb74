/** The Pythons of this machine, under the name by which the tests of the SDK know them. */
export { environment, FOLDER, passes, pythons, saysMissing } from "@svc/testkit/python";
