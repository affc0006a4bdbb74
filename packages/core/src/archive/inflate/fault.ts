/** What is wrong with a deflate stream, as the end of a sentence. It stays inside of this folder. */
export class DeflateFault extends Error {}
