/** Secrets that must be used again: sealed in the database, under a key that is kept elsewhere. */
export { KeptSecretsKeys, type KeyPlaces, takeNextKey, writeSecretsKey } from "./kept-keys.ts";
export { kidOf, openSecret, SecretError, type SecretFault, type SecretPlace, sealSecret } from "./secret-box.ts";
export { Secrets, type SecretsKeys, sealAllAnew } from "./secrets.ts";
export { newSecretsKey, type SecretsKey, secretsKeyFromText, secretsKeyOf } from "./secrets-key.ts";
export {
  destroySecret,
  findSecret,
  kidsOfSecrets,
  makeSecrets,
  placeOf,
  SECRETS_TABLE,
  type SecretRow,
  secretsAfter,
} from "./secrets-store.ts";
