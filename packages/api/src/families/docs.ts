/** The routes that describe the service: its front page, the OpenAPI document, and a page of the routes for people. */
import Type from "typebox";
import { contract } from "../contract.ts";

export const front = contract({
  method: "GET",
  path: "/",
  chapter: "service",
  summary: "What this service is, as a page for people.",
  access: "public",
  face: "api",
  answer: { status: 200, description: "The page.", schema: Type.String(), mediaType: "text/html" },
});

export const document = contract({
  method: "GET",
  path: "/openapi.json",
  chapter: "service",
  summary: "This interface as an OpenAPI 3.1 document.",
  access: "public",
  face: "api",
  answer: { status: 200, description: "The document.", schema: Type.Object({ openapi: Type.String() }) },
});

export const page = contract({
  method: "GET",
  path: "/docs",
  chapter: "service",
  summary: "This interface as a page for people.",
  access: "public",
  face: "api",
  answer: { status: 200, description: "The page.", schema: Type.String(), mediaType: "text/html" },
});
