// The module as text, which the bundler puts in; see js/build/packed-wasm.mjs.

/** The module, with one or two characters for each byte. */
export declare const text: string;

/** A small module, in base64, whose `unpack` makes the bytes of the text in its memory. */
export declare const unpacker: string;
