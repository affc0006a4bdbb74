/** The Pythons of this machine, which a bench also needs. */
export * from "../environment.ts";
