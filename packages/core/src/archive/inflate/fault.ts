/** A fault of a deflate stream, as the end of a sentence. It is thrown and caught inside this folder. */
export class DeflateFault extends Error {}
