/** The keys of secrets that are given with the start, in place of files in the data folder. */
import { secretsKeyFromText } from "@svc/host/secrets";
import { Mistakes, type Parse, setting } from "@svc/host/settings";

const key: Parse<Uint8Array> = (text, name) =>
  secretsKeyFromText(text) ?? new Mistakes(`${name} is no key; it must be 32 random bytes in base64.`);

/** The settings of the family. */
export const secretsSettings = {
  secretsKey: setting({
    variable: "SVC_SECRETS_KEY",
    meaning: "the key that seals secrets in the database, 32 bytes in base64 (default: secrets-key in the data folder)",
    isSecret: true,
    parse: key,
  }),
  nextSecretsKey: setting({
    variable: "SVC_NEXT_SECRETS_KEY",
    meaning: "beside SVC_SECRETS_KEY, the key that secrets rotate seals them under",
    isSecret: true,
    parse: key,
  }),
};
